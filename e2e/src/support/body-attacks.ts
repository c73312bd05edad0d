import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { createTestDataset } from './datasets.ts';
import type { Repeated } from './repeat-thread.ts';
import { runningStack } from './stack.ts';
import { createKey, type TestProject } from './test-project.ts';

/** Begins one attack at its worst; the returned function ends it. */
export type Attack = () => Promise<() => Promise<void>>;

const MIB = 1024 * 1024;
const CHAT = '/v1/chat/completions';
const TRANSCRIPTIONS = '/v1/audio/transcriptions';
const JSON_LINE = '{"payload":{"input":{"type":"text","text":"a line that comes slowly"}}}\n';
/** A rate slightly above the minimum, so that only the project's share limits it. */
const DRIP_BYTES = 4 * 1024;
const DRIP_EVERY_MS = 1_000;

export interface BodyAttacks {
  /** Calls that announce a large body and send nothing of it. */
  idleBodies: Attack;
  /** Imports at a rate slightly above the minimum. */
  slowImports: Attack;
  /** As many concurrent requests as the keys allow. */
  flood: Attack;
  /** Event streams that nobody ends. */
  eventStreams: Attack;
  /** Lines with 900,000 small members each, sent one after the other. */
  hugeLines: Attack;
}

/** Attacks of a project with `keyCount` keys, each of which has its own limits at the gateway. */
export async function createBodyAttacks(project: TestProject, keyCount: number): Promise<BodyAttacks> {
  const { path } = await createTestDataset(project);
  const imports = `/v1/projects/${project.id}${path}/imports?format=jsonl`;
  const made = Array.from({ length: keyCount }, (_, index) => createKey(project.id, { name: `attack ${index}` }));
  const keys = (await Promise.all(made)).map(({ secret }) => secret);

  /** Opens `count` sockets per key and sends a request head on each. */
  async function sockets(count: number, headOf: (key: string) => string): Promise<Socket[]> {
    const { hostname, port } = new URL(runningStack().gatewayUrl);
    const opened = keys.flatMap((key) =>
      Array.from({ length: count }, async () => {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined);
        socket.resume();
        await once(socket, 'connect');
        socket.write(headOf(key));
        return socket;
      }),
    );
    return await Promise.all(opened);
  }

  return {
    async idleBodies() {
      const open = await Promise.all([
        sockets(4, (key) => post(imports, key, 1_024 * MIB)),
        sockets(4, (key) => post(CHAT, key, 64 * MIB)),
        sockets(8, (key) => post(TRANSCRIPTIONS, key, 512 * MIB)),
      ]);
      return async () => open.flat().forEach((socket) => socket.destroy());
    },
    async slowImports() {
      const open = await sockets(4, (key) => post(imports, key, 1_024 * MIB));
      const drip = () =>
        open.forEach((socket) => socket.write(JSON_LINE.repeat(Math.ceil(DRIP_BYTES / JSON_LINE.length))));
      drip();
      const timer = setInterval(drip, DRIP_EVERY_MS);
      return async () => {
        clearInterval(timer);
        open.forEach((socket) => socket.destroy());
      };
    },
    flood: () =>
      repeated({
        ...{ url: urlOf(`/v1/projects/${project.id}/datasets`), method: 'GET', atATime: 100 * keys.length },
        headers: keys.map((key) => ({ authorization: `Bearer ${key}` })),
      }),
    async eventStreams() {
      const open = await sockets(50, (key) => head('GET', `/v1/projects/${project.id}/models/activity`, key, EVENTS));
      return async () => open.forEach((socket) => socket.destroy());
    },
    hugeLines() {
      const members = Array.from({ length: 900_000 }, (_, index) => `"k${index}":1`).join();
      const line = `{"payload":{"input":{"type":"json","value":{${members}}}}}\n`;
      return repeated({
        ...{ url: urlOf(imports), method: 'POST', body: line, atATime: keys.length },
        headers: keys.map((key) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' })),
      });
    },
  };
}

const EVENTS = ['accept: text/event-stream'];

function head(method: string, target: string, key: string, lines: readonly string[]): string {
  return [`${method} ${target} HTTP/1.1`, 'host: clew', `authorization: Bearer ${key}`, ...lines, '', ''].join('\r\n');
}

function post(target: string, key: string, bytes: number): string {
  const mediaType = target === TRANSCRIPTIONS ? 'multipart/form-data; boundary=x' : 'application/json';
  return head('POST', target, key, [`content-type: ${mediaType}`, `content-length: ${bytes}`]);
}

function urlOf(path: string): string {
  return new URL(path, runningStack().gatewayUrl).href;
}

/** Repeats requests in a thread of its own, so that sending them does not distort the measured response times. */
async function repeated(requests: Repeated): Promise<() => Promise<void>> {
  const thread = new Worker(new URL('./repeat-thread.ts', import.meta.url), { workerData: requests });
  const ended = once(thread, 'exit');
  await once(thread, 'online');
  return async () => {
    thread.postMessage('over');
    await ended;
  };
}
