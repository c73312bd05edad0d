// Measures whether receivers that hang delay the others: events at a steady rate go to a fast receiver, in interleaved
// phases alone, beside other receivers of the same project that answer at once, and beside the same ones while they hang.
// The baseline are the phases in which none hangs.
import { setTimeout as sleep } from 'node:timers/promises';
import { datasetChanged, datasetDeleted, type Webhook } from '@clew/contracts';
import { connectBroker, createPublisher, type Publisher } from '@clew/messaging';
import { createLogger } from '@clew/runtime';
import { withTemporaryStack, type StackFile } from '@clew/stack';
import { readOptions } from '../support/options.ts';
import { processorMs } from '../support/processor-time.ts';
import { percentile, round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';
import { startFast, startOther, type FastReceiver, type OtherReceiver } from '../webhooks/receivers.ts';

const TICK_MS = 50;
/** Events per second that each of the other receivers gets. */
const OTHER_RATE = 20;
const KINDS = ['alone', 'besideQuick', 'besideHanging'] as const;
type Kind = (typeof KINDS)[number];
const SETTLE_MS = 1_000;

interface Phase {
  kind: Kind;
  seconds: number;
  sent: number;
  delaysMs: number[];
  processorMs: number;
}

export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    rate: { type: 'string', default: '200' },
    others: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '10' },
  });
  const [rate, otherCount] = [Number(values.rate), Number(values.others)];
  const fast = await startFast();
  const others = await Promise.all(Array.from({ length: otherCount }, startOther));
  const settings = { RATE_LIMIT_PER_SECOND: '100000', NODE_ENV: 'production' };
  try {
    return await withTemporaryStack(settings, async ({ stackFile }) => {
      await addWebhook(stackFile, { url: fast.url, events: ['dataset.changed'] });
      const otherIds = await Promise.all(
        others.map(async ({ url }) => addWebhook(stackFile, { url, events: ['dataset.deleted'], enabled: false })),
      );
      const logger = createLogger({ service: 'bench', version: '0', level: 'error' });
      const broker = await connectBroker({ url: stackFile.amqpUrl, appName: 'bench', logger });
      const publisher = createPublisher(broker);
      const phases: Phase[] = [];
      const measured = { stackFile, publisher, fast, rate, seconds: Number(values.seconds) };
      // The first round warms up what the others measure.
      for (let round = 0; round <= Number(values.rounds); round += 1) {
        for (const kind of KINDS) {
          others.forEach((receiver) => receiver.hang(kind === 'besideHanging'));
          await Promise.all(otherIds.map((id) => setEnabled(stackFile, id, kind !== 'alone')));
          const phase = await runPhase({ ...measured, kind, name: `${round} ${kind}` });
          if (round > 0) phases.push(phase);
        }
      }
      await publisher.close();
      await broker.close();
      return report(phases, others, { rate, others: otherCount });
    });
  } finally {
    fast.stop();
    others.forEach((receiver) => receiver.stop());
  }
}

async function addWebhook(stack: StackFile, webhook: object): Promise<string> {
  const { id } = (await call(stack, '', 'POST', webhook)) as Webhook;
  return id;
}

async function setEnabled(stack: StackFile, id: string, enabled: boolean): Promise<void> {
  await call(stack, `/${id}`, 'PATCH', { enabled });
}

async function call({ gatewayUrl, apiKey, projectId }: StackFile, path: string, method: string, body: object) {
  const response = await fetch(new URL(`/v1/projects/${projectId}/webhooks${path}`, gatewayUrl), {
    ...{ method, body: JSON.stringify(body) },
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
  });
  if (!response.ok) throw new Error(`A webhook was answered ${response.status}: ${await response.text()}`);
  return await response.json();
}

interface PhaseOptions {
  stackFile: StackFile;
  publisher: Publisher;
  fast: FastReceiver;
  rate: number;
  seconds: number;
  kind: Kind;
  name: string;
}

/** Publishes events at the rate, and waits until all of them have arrived. */
async function runPhase({ stackFile, publisher, fast, rate, seconds, kind, name }: PhaseOptions): Promise<Phase> {
  const { projectId } = stackFile;
  const pid = stackFile.services['diagnostics-svc']?.pid ?? 0;
  await sleep(SETTLE_MS);
  const beforeMs = processorMs(pid) ?? Number.NaN;
  const startedMs = performance.now();
  const publishing: Promise<unknown>[] = [];
  let [sent, otherSent] = [0, 0];
  const envelope = (spec: { type: string; version: number }, id: string) => ({
    ...{ id: `${spec.type}:${name} ${id}`, type: spec.type, version: spec.version },
    ...{ occurredAt: Date.now(), projectId, requestId: null },
  });
  for (let passedMs = 0; passedMs < seconds * 1_000; passedMs = performance.now() - startedMs) {
    for (const due = Math.floor((passedMs / 1_000) * rate); sent < due; sent += 1) {
      const data = { datasetId: `dst_${sent}`, version: 1, contentId: name, exampleCount: 1 };
      publishing.push(publisher.publish(datasetChanged, { ...envelope(datasetChanged, String(sent)), data }));
    }
    for (const due = Math.floor((passedMs / 1_000) * OTHER_RATE); kind !== 'alone' && otherSent < due; otherSent += 1) {
      const data = { datasetId: `dst_${otherSent}` };
      publishing.push(publisher.publish(datasetDeleted, { ...envelope(datasetDeleted, String(otherSent)), data }));
    }
    await sleep(TICK_MS);
  }
  await Promise.all(publishing);
  while ((fast.delaysMs.get(name)?.length ?? 0) < sent) await sleep(TICK_MS);
  const used = (processorMs(pid) ?? Number.NaN) - beforeMs;
  return {
    ...{ kind, sent, seconds: (performance.now() - startedMs) / 1_000 },
    ...{ delaysMs: fast.delaysMs.get(name) ?? [], processorMs: used },
  };
}

function report(phases: readonly Phase[], others: readonly OtherReceiver[], options: Record<string, number>) {
  const figuresOf = (kind: Kind) => {
    const own = phases.filter((phase) => phase.kind === kind);
    const delaysMs = own.flatMap((phase) => phase.delaysMs);
    const sum = (valueOf: (phase: Phase) => number) => own.reduce((total, phase) => total + valueOf(phase), 0);
    const deliveries = sum(({ sent }) => sent);
    return {
      ...{ deliveries, perSecond: round(deliveries / sum(({ seconds }) => seconds), 1) },
      ...{ p50Ms: percentile(delaysMs, 0.5), p95Ms: percentile(delaysMs, 0.95), p99Ms: percentile(delaysMs, 0.99) },
      p95MsByPhase: own.map((phase) => percentile(phase.delaysMs, 0.95)),
      processorMsEach: round(sum((phase) => phase.processorMs) / deliveries, 2),
    };
  };
  const byKind = Object.fromEntries(KINDS.map((kind) => [kind, figuresOf(kind)]));
  const hangingRequests = others.reduce((sum, receiver) => sum + receiver.hanging(), 0);
  printTable(
    ['', 'deliveries', 'per second', 'p50 ms', 'p95 ms', 'p99 ms', 'cpu ms each'],
    KINDS.map((kind) => {
      const { p95MsByPhase: _phases, ...figures } = figuresOf(kind);
      return [kind, ...Object.values(figures)];
    }),
  );
  process.stdout.write(`${hangingRequests} requests were left without an answer\n`);
  return { ...options, ...byKind, hangingRequests };
}
