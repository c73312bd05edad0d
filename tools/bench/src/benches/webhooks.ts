// Measures whether receivers that hang delay the others: events at a steady rate go to a fast receiver, in interleaved
// phases without and with slow receivers of the same project that never answer. The baseline is the phases without them.
import { setTimeout as sleep } from 'node:timers/promises';
import { datasetChanged, datasetDeleted, type Webhook } from '@clew/contracts';
import { connectBroker, createPublisher, type Publisher } from '@clew/messaging';
import { createLogger } from '@clew/runtime';
import { withTemporaryStack, type StackFile } from '@clew/stack';
import { readOptions } from '../support/options.ts';
import { processorMs } from '../support/processor-time.ts';
import { percentile, round } from '../support/statistics.ts';
import { printTable } from '../support/table.ts';
import { startFast, startSlow, type FastReceiver, type SlowReceiver } from '../webhooks/receivers.ts';

const TICK_MS = 50;
/** Events per second for each slow receiver. */
const SLOW_RATE = 20;
const SETTLE_MS = 1_000;

interface Phase {
  isSlow: boolean;
  seconds: number;
  sent: number;
  delaysMs: number[];
  processorMs: number;
}

export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const values = readOptions(args, {
    rate: { type: 'string', default: '200' },
    slow: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '10' },
  });
  const [rate, slowCount] = [Number(values.rate), Number(values.slow)];
  const fast = await startFast();
  const slow = await Promise.all(Array.from({ length: slowCount }, startSlow));
  const settings = { RATE_LIMIT_PER_SECOND: '100000', NODE_ENV: 'production' };
  try {
    return await withTemporaryStack(settings, async ({ stackFile }) => {
      await addWebhook(stackFile, { url: fast.url, events: ['dataset.changed'] });
      const slowIds = await Promise.all(
        slow.map(async ({ url }) => addWebhook(stackFile, { url, events: ['dataset.deleted'], enabled: false })),
      );
      const logger = createLogger({ service: 'bench', version: '0', level: 'error' });
      const broker = await connectBroker({ url: stackFile.amqpUrl, appName: 'bench', logger });
      const publisher = createPublisher(broker);
      const phases: Phase[] = [];
      const measured = { stackFile, publisher, fast, rate, seconds: Number(values.seconds) };
      // The first two phases warm up what the others measure.
      for (let round = 0; round <= Number(values.rounds); round += 1) {
        for (const isSlow of [false, true]) {
          await Promise.all(slowIds.map((id) => setEnabled(stackFile, id, isSlow)));
          const phase = await runPhase({ ...measured, isSlow, name: `${round} ${String(isSlow)}` });
          if (round > 0) phases.push(phase);
        }
      }
      await publisher.close();
      await broker.close();
      return report(phases, slow, { rate, slow: slowCount });
    });
  } finally {
    fast.stop();
    slow.forEach((receiver) => receiver.stop());
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
  isSlow: boolean;
  name: string;
}

/** Publishes events at the rate, and waits until all of them have arrived. */
async function runPhase({ stackFile, publisher, fast, rate, seconds, isSlow, name }: PhaseOptions): Promise<Phase> {
  const { projectId } = stackFile;
  const pid = stackFile.services['diagnostics-svc']?.pid ?? 0;
  await sleep(SETTLE_MS);
  const beforeMs = processorMs(pid) ?? Number.NaN;
  const startedMs = performance.now();
  const publishing: Promise<unknown>[] = [];
  let [sent, slowSent] = [0, 0];
  const envelope = (spec: { type: string; version: number }, id: string) => ({
    ...{ id: `${spec.type}:${name} ${id}`, type: spec.type, version: spec.version },
    ...{ occurredAt: Date.now(), projectId, requestId: null },
  });
  for (let passedMs = 0; passedMs < seconds * 1_000; passedMs = performance.now() - startedMs) {
    for (const due = Math.floor((passedMs / 1_000) * rate); sent < due; sent += 1) {
      const data = { datasetId: `dst_${sent}`, version: 1, contentId: name, exampleCount: 1 };
      publishing.push(publisher.publish(datasetChanged, { ...envelope(datasetChanged, String(sent)), data }));
    }
    for (const due = Math.floor((passedMs / 1_000) * SLOW_RATE); isSlow && slowSent < due; slowSent += 1) {
      const data = { datasetId: `dst_${slowSent}` };
      publishing.push(publisher.publish(datasetDeleted, { ...envelope(datasetDeleted, String(slowSent)), data }));
    }
    await sleep(TICK_MS);
  }
  await Promise.all(publishing);
  while ((fast.delaysMs.get(name)?.length ?? 0) < sent) await sleep(TICK_MS);
  const used = (processorMs(pid) ?? Number.NaN) - beforeMs;
  return {
    ...{ isSlow, sent, seconds: (performance.now() - startedMs) / 1_000 },
    ...{ delaysMs: fast.delaysMs.get(name) ?? [], processorMs: used },
  };
}

function report(phases: readonly Phase[], slow: readonly SlowReceiver[], options: Record<string, number>) {
  const figuresOf = (isSlow: boolean) => {
    const own = phases.filter((phase) => phase.isSlow === isSlow);
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
  const [alone, beside] = [figuresOf(false), figuresOf(true)];
  const hanging = slow.reduce((sum, receiver) => sum + receiver.requests(), 0);
  printTable(
    ['', 'deliveries', 'per second', 'p50 ms', 'p95 ms', 'p99 ms', 'cpu ms each'],
    [
      ['without slow receivers', alone] as const,
      [`beside ${options['slow']} that hang (${hanging} requests)`, beside] as const,
    ].map(([name, { p95MsByPhase: _phases, ...figures }]) => [name, ...Object.values(figures)]),
  );
  return { ...options, alone, besideSlow: beside, hangingRequests: hanging };
}
