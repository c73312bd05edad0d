import { setTimeout as sleep } from 'node:timers/promises';
import { withTemporaryStack, type StackFile } from '@clew/stack';
import { MongoClient, type Db } from 'mongodb';
import { peakMemoryMib } from '../ingest/memory.ts';
import { readDocuments, upsertRaw } from '../ingest/raw-upserts.ts';
import { sendAll } from '../ingest/send.ts';
import { createWorkload, type Workload } from '../ingest/workload.ts';
import { readOptions } from '../support/options.ts';
import { median, round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';
import { processesOf, usageOf, usedBetween } from '../support/usage.ts';

const CONCURRENCY = 8;
/** Load of the memory run, as a multiple of the other runs. */
const OVERLOAD = 10;
const POLL_MS = 25;
const POLL_PAUSE_FACTOR = 10;

interface Round {
  spansPerSecond: number;
  rawPerSecond: number;
  /** Processor microseconds per span until it is readable, by process; assembly after that time does not count. */
  processorUs: Record<string, number>;
}

/**
 * Measures spans accepted and stored per second through the gateway, until the last span is readable, beside bulk
 * upserts of the same spans into mongod with one document and one content each. Then it measures the memory of each
 * process at ten times the load.
 */
export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    spans: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '3' },
    'without-overload': { type: 'boolean', default: false },
  });
  const spans = Number(values.spans);
  const settings = { RATE_LIMIT_PER_SECOND: '100000', NODE_ENV: 'production' };
  return await withTemporaryStack(settings, async ({ stackFile, env }) => {
    const client = await MongoClient.connect(stackFile.mongoUrl);
    const processes = processesOf(String(env['CLEW_HOME']));
    try {
      const rounds: Round[] = [];
      for (let index = -1; index < Number(values.rounds); index += 1) {
        // The first round warms up.
        const workload = createWorkload(spans, `round-${index}`);
        const measured = await measureRound(stackFile, { client, processes }, workload);
        if (index >= 0) rounds.push(measured);
      }
      const overload = values['without-overload'] ? {} : await measureOverload(stackFile, client, spans);
      return { ...report(rounds, spans), ...overload };
    } finally {
      await client.close();
    }
  });
}

interface Measured {
  client: MongoClient;
  processes: Record<string, number>;
}

async function measureRound(stack: StackFile, { client, processes }: Measured, workload: Workload): Promise<Round> {
  const telemetry = client.db('clew_telemetry');
  const project = await createProject(stack);
  const { gatewayUrl } = stack;
  const before = await usageOf(client, processes);
  const startedAtMs = performance.now();
  await sendAll({ gatewayUrl, apiKey: project.apiKey, bodies: workload.bodies, concurrency: CONCURRENCY });
  await untilReadable(stack, telemetry, project, workload);
  const elapsedMs = performance.now() - startedAtMs;
  const used = usedBetween(before, await usageOf(client, processes));
  await untilAssembled(telemetry, project.id);
  const raw = await upsertRaw(client, await readDocuments(telemetry, project.id));
  return {
    spansPerSecond: (workload.spanCount / elapsedMs) * 1000,
    rawPerSecond: (workload.spanCount / raw.elapsedMs) * 1000,
    processorUs: Object.fromEntries(
      Object.entries(used.processorMs).map(([name, ms]) => [name, (ms / workload.spanCount) * 1000]),
    ),
  };
}

async function measureOverload(stack: StackFile, client: MongoClient, spans: number) {
  const project = await createProject(stack);
  const workload = createWorkload(spans * OVERLOAD, 'overload');
  const { pushedBack } = await sendAll({
    gatewayUrl: stack.gatewayUrl,
    apiKey: project.apiKey,
    bodies: workload.bodies,
    concurrency: CONCURRENCY * OVERLOAD,
  });
  await untilReadable(stack, client.db('clew_telemetry'), project, workload);
  const peakMib = Object.fromEntries(
    Object.entries(stack.services).map(([name, { pid }]) => [name, peakMemoryMib(pid ?? 0)]),
  );
  printTable(['process', 'peak MiB'], Object.entries(peakMib));
  return { overload: { spans: workload.spanCount, pushedBack, peakMib } };
}

interface BenchProject {
  id: string;
  apiKey: string;
}

async function createProject({ gatewayUrl, adminApiKey }: StackFile): Promise<BenchProject> {
  const call = async <Body>(path: string, body: unknown): Promise<Body> => {
    const response = await fetch(`${gatewayUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminApiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Body;
  };
  const { id } = await call<{ id: string }>('/v1/projects', { name: 'bench' });
  const scopes = ['telemetry:write', 'workspace:read'];
  const { secret } = await call<{ secret: string }>(`/v1/projects/${id}/api-keys`, { name: 'bench', scopes });
  return { id, apiKey: secret };
}

/** Waits until every span is in the database and the last trace is readable through the gateway. */
async function untilReadable(
  stack: StackFile,
  telemetry: Db,
  project: BenchProject,
  workload: Workload,
): Promise<void> {
  for (;;) {
    const askedAtMs = performance.now();
    if ((await storedSpans(telemetry, project.id)) >= workload.spanCount) break;
    // Summing up costs the server a read of all fragments: polling must not slow down the work it waits for.
    await sleep(Math.max(POLL_MS, (performance.now() - askedAtMs) * POLL_PAUSE_FACTOR));
  }
  const response = await fetch(`${stack.gatewayUrl}/v1/projects/${project.id}/traces/${workload.lastTraceId}`, {
    headers: { authorization: `Bearer ${project.apiKey}` },
  });
  if (!response.ok) throw new Error(`The last trace cannot be read: ${response.status}`);
  await response.arrayBuffer();
}

async function storedSpans(telemetry: Db, projectId: string): Promise<number> {
  const [counted] = await telemetry
    .collection('trace_fragments')
    .aggregate<{ spans: number }>([{ $match: { projectId } }, { $group: { _id: null, spans: { $sum: '$spanCount' } } }])
    .toArray();
  return counted?.spans ?? 0;
}

/** Waits until no assembly is due, so that the raw upserts have the machine to themselves. */
async function untilAssembled(telemetry: Db, projectId: string): Promise<void> {
  const conversations = telemetry.collection('conversations');
  while ((await conversations.countDocuments({ projectId, dueAt: { $ne: null } }, { limit: 1 })) > 0) await sleep(250);
}

function report(rounds: readonly Round[], spans: number): Record<string, unknown> {
  const clew = median(rounds.map(({ spansPerSecond }) => spansPerSecond));
  const raw = median(rounds.map(({ rawPerSecond }) => rawPerSecond));
  const ratios = rounds.map(({ spansPerSecond, rawPerSecond }) => spansPerSecond / rawPerSecond);
  printTable(
    ['spans/s', 'median', 'each round'],
    [
      ['accepted and readable', Math.round(clew), rounds.map((one) => Math.round(one.spansPerSecond)).join(' ')],
      ['raw bulk upserts', Math.round(raw), rounds.map((one) => Math.round(one.rawPerSecond)).join(' ')],
    ],
  );
  const names = Object.keys(rounds[0]?.processorUs ?? {});
  const processorUs = Object.fromEntries(
    names.map((name) => [name, round(median(rounds.map((one) => one.processorUs[name] ?? 0)), 1)]),
  );
  printTable(['process', 'us of processor a span'], Object.entries(processorUs));
  return {
    spans,
    processorUs,
    rounds: rounds.length,
    spansPerSecond: Math.round(clew),
    rawUpsertsPerSecond: Math.round(raw),
    ratio: round(median(ratios), 3),
  };
}
