// Sends requests at a fixed rate over keep-alive connections, and prints the latencies.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PacedLoad, PacedResult } from './paced-load.ts';
import { percentile, round } from './statistics.ts';

const load = JSON.parse(process.argv[2] ?? '') as PacedLoad;
const { hostname, port, pathname, host } = new URL(load.url);
const headerLines = Object.entries({ host, ...load.headers }).map(([name, value]) => `${name}: ${value}`);
const requestText = `GET ${pathname} HTTP/1.1\r\n${headerLines.join('\r\n')}\r\n\r\n`;

const latenciesMs: number[] = [];
const idle: Socket[] = [];
/** Due times of the requests that wait for a connection. */
const waiting: number[] = [];
const sentBy = new Map<Socket, number>();
let failures = 0;

function send(socket: Socket, dueAtMs: number): void {
  sentBy.set(socket, dueAtMs);
  socket.write(requestText);
}

function answered(socket: Socket, ok: boolean): void {
  latenciesMs.push(performance.now() - (sentBy.get(socket) ?? Number.NaN));
  if (!ok) failures += 1;
  const next = waiting.shift();
  if (next === undefined) idle.push(socket);
  else send(socket, next);
}

/** Detects each complete answer; answers have a content length, and a connection carries one request at a time. */
function readAnswers(socket: Socket): void {
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    received += chunk;
    const headEnd = received.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1]);
    if (received.length < headEnd + 4 + length) return;
    const ok = received.startsWith('HTTP/1.1 2');
    received = '';
    answered(socket, ok);
  });
}

async function open(): Promise<void> {
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  await once(socket, 'connect');
  readAnswers(socket);
  idle.push(socket);
}

await Promise.all(Array.from({ length: load.connections }, open));
const total = Math.round(load.requestsPerSecond * load.seconds);
const startedAtMs = performance.now();
for (let made = 0; made < total;) {
  const due = Math.min(total, Math.floor(((performance.now() - startedAtMs) / 1000) * load.requestsPerSecond));
  for (; made < due; made += 1) {
    const dueAtMs = startedAtMs + (made / load.requestsPerSecond) * 1000;
    const socket = idle.pop();
    if (socket === undefined) waiting.push(dueAtMs);
    else send(socket, dueAtMs);
  }
  await sleep(1);
}
while (latenciesMs.length < total) await sleep(10);

const result: PacedResult = {
  p50Ms: round(percentile(latenciesMs, 0.5)),
  p99Ms: round(percentile(latenciesMs, 0.99)),
  requests: total,
  failures,
};
process.stdout.write(JSON.stringify(result));
process.exit(0);
