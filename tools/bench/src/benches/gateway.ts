import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '../gateway/gateway-process.ts';
import { startNginx } from '../gateway/nginx.ts';
import { startServer, type Child } from '../support/child.ts';
import { prepareForm, type MeasuredForm } from '../support/measured-form.ts';
import { readOptions } from '../support/options.ts';
import { measurePaced, type PacedResult } from '../support/paced-load.ts';
import { processorMs } from '../support/processor-time.ts';
import { openServers } from '../support/servers.ts';
import { median, round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';
import { LOAD_TOOL, measureThroughput, type Throughput } from '../support/throughput.ts';

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 3;

interface Contender {
  name: string;
  url: string;
  pid: number;
  full: (Throughput & { processorMicros: number })[];
  half: PacedResult[];
}

interface Setting {
  contenders: Contender[];
  headers: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * Measures the gateway as an authenticating proxy for answers of 1 KB, with rate limit, metrics and request log on,
 * beside Express with http-proxy-middleware and nginx, in interleaved rounds. Latencies are measured at half of the
 * rate of Express.
 */
export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    from: { type: 'string', default: 'src' },
    'cpu-prof-dir': { type: 'string' },
  });
  const rounds = Number(values.rounds);
  const seconds = Number(values.seconds);
  const profile = values['cpu-prof-dir'];
  const setting = await prepare(await prepareForm(values.from), profile);
  try {
    await measure(setting, rounds, seconds);
  } finally {
    await setting.stop();
  }
  return report(setting.contenders, { rounds, seconds });
}

async function prepare(from: MeasuredForm, profile: string | undefined): Promise<Setting> {
  const folder = mkdtempSync(join(tmpdir(), 'clew-bench-'));
  const servers = await openServers();
  const upstream = await startServer(join(import.meta.dirname, '../gateway/upstream.ts'));
  const upstreamUrl = `http://127.0.0.1:${upstream.port}`;
  const nodeOptions = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const gateway = await startGateway({ folder, servers, upstreamPort: upstream.port, from, nodeOptions });
  const bare = await startServer(join(import.meta.dirname, '../gateway/express-proxy.ts'), { args: [upstreamUrl] });
  const nginx = await startNginx(folder, upstream.port);
  const path = `/v1/projects/${gateway.projectId}/conversations`;
  const contender = (name: string, { port, pid }: Child & { port: number }): Contender => ({
    name,
    pid,
    url: `http://127.0.0.1:${port}${path}`,
    full: [],
    half: [],
  });
  const children: Child[] = [gateway, bare, ...(nginx === undefined ? [] : [nginx]), upstream];
  return {
    contenders: [
      contender('gateway', gateway),
      contender('express', bare),
      ...(nginx === undefined ? [] : [contender('nginx', nginx)]),
      contender('direct', upstream),
    ],
    headers: { authorization: `Bearer ${gateway.apiKey}`, accept: 'application/json' },
    async stop() {
      for (const child of children) await child.stop();
      await servers.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function measure({ contenders, headers }: Setting, rounds: number, seconds: number): Promise<void> {
  const load = (url: string, loadSeconds: number) =>
    measureThroughput({ url, headers, connections: CONNECTIONS, seconds: loadSeconds });
  for (const { url } of contenders) await load(url, WARM_UP_SECONDS);
  for (let round = 0; round < rounds; round += 1) {
    for (const { url, pid, full } of contenders) {
      const before = processorMs(pid) ?? Number.NaN;
      const figures = await load(url, seconds);
      const usedMs = (processorMs(pid) ?? Number.NaN) - before;
      full.push({ ...figures, processorMicros: (usedMs * 1000) / figures.requests });
    }
  }
  const express = contenders.find(({ name }) => name === 'express');
  const requestsPerSecond = Math.round(fullRate(express) / 2);
  for (let round = 0; round < rounds; round += 1) {
    for (const { url, half } of contenders) {
      half.push(await measurePaced({ url, headers, connections: CONNECTIONS, seconds, requestsPerSecond }));
    }
  }
}

function report(contenders: readonly Contender[], run: { rounds: number; seconds: number }) {
  const express = contenders.find(({ name }) => name === 'express');
  const rows = contenders.map((contender) => ({
    name: contender.name,
    requestsPerSecond: Math.round(fullRate(contender)),
    ratioToExpress: round(median(contender.full.map((full, index) => full.requestsPerSecond / rateOf(express, index)))),
    processorMicros: round(median(contender.full.map(({ processorMicros }) => processorMicros)), 1),
    p99Ms: round(median(contender.full.map(({ p99Ms }) => p99Ms))),
    halfLoadP50Ms: round(median(contender.half.map(({ p50Ms }) => p50Ms))),
    halfLoadP99Ms: round(median(contender.half.map(({ p99Ms }) => p99Ms))),
    failures: [...contender.full, ...contender.half].reduce((sum, { failures }) => sum + failures, 0),
  }));
  const halfLoadRate = Math.round(fullRate(express) / 2);
  process.stdout.write(
    `1 KB answer, ${CONNECTIONS} connections, ${run.rounds} interleaved rounds of ${run.seconds} s, medians, ` +
      `load by ${LOAD_TOOL}; half load is ${halfLoadRate} requests/s; Node ${process.version}\n\n`,
  );
  printTable(
    ['', 'requests/s', 'of Express', 'processor us', 'p99 ms', 'half-load p50 ms', 'half-load p99 ms', 'failures'],
    rows.map((row) => Object.values(row)),
  );
  const [gateway, bare] = rows;
  return {
    ...run,
    connections: CONNECTIONS,
    loadTool: LOAD_TOOL,
    halfLoadRate,
    contenders: rows,
    gatewayToExpress: gateway?.ratioToExpress,
    /** Same ratio by processor time, which other load on the machine disturbs less. */
    gatewayToExpressByProcessor: round(
      (bare?.processorMicros ?? Number.NaN) / (gateway?.processorMicros ?? Number.NaN),
    ),
    halfLoadP99DifferenceMs: round((gateway?.halfLoadP99Ms ?? Number.NaN) - (bare?.halfLoadP99Ms ?? Number.NaN)),
  };
}

function fullRate(contender: Contender | undefined): number {
  return median((contender?.full ?? []).map(({ requestsPerSecond }) => requestsPerSecond));
}

function rateOf(contender: Contender | undefined, round: number): number {
  return contender?.full[round]?.requestsPerSecond ?? Number.NaN;
}
