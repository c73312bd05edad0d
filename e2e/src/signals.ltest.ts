import { expect, it } from '@jest/globals';
import { RETENTION_MECHANISMS, type HealthSignals, type RetentionMechanism } from '@clew/contracts';
import { deadLetterQueueOf, QUEUES } from '@clew/messaging';
import { encodeConversation, eventually, toOtlpJson } from '@clew/testing';
import { callApi } from './support/api.ts';
import { processes } from './support/chaos.ts';
import { failingToolConversation } from './support/conversations.ts';
import { withMongo } from './support/database.ts';
import { withBroker } from './support/queues.ts';
import { runningStack } from './support/stack.ts';

const PATIENCE = { timeoutMs: 60_000, intervalMs: 250 };
const TIMEOUT_MS = 600_000;
const HEALTHY = {
  ...{ evidenceVisibility: 'ok', diagnosticExecution: 'ok', queueProcessing: 'ok', repairStatusSync: 'ok' },
  ...{ telemetry: 'ok', rawPayload: 'ok', maintenance: 'ok' },
};
/** Signals that are unknown while the warehouse does not answer. */
const WITHOUT_WAREHOUSE = Object.fromEntries(RETENTION_MECHANISMS.map((mechanism) => [mechanism, 'unknown']));

type Statuses = Record<string, string>;

async function statuses(): Promise<Statuses> {
  const { status, body } = await callApi<{ signals: HealthSignals }>(runningStack().apiKey, '/v1/health/signals');
  expect(status).toBe(200);
  const { dataRetention, ...others } = body.signals;
  const all = [...Object.entries(others), ...Object.entries(dataRetention)];
  return Object.fromEntries(all.map(([name, signal]) => [name, signal.status]));
}

/** Waits for the expected signals, then verifies that every process is alive except the stopped one, `still`. */
async function become(expected: Statuses, still?: string): Promise<void> {
  await eventually(async () => expect(await statuses()).toEqual(expected), PATIENCE);
  for (const { name, url } of processes()) {
    if (name === still) continue;
    const { status } = await fetch(`${url}${name === 'telemetry-warehouse' ? '/health' : '/healthz'}`);
    expect([name, status]).toEqual([name, 200]);
  }
}

let told = 0;

async function tell(): Promise<void> {
  const conversation = failingToolConversation(`told-${(told += 1)}`);
  const encoded = encodeConversation(conversation, { dialect: 'genai', startMs: Date.now(), idSeed: `told-${told}` });
  const { status } = await callApi(runningStack().apiKey, '/v1/traces', { body: toOtlpJson(encoded) });
  expect(status).toBe(200);
}

/** Stops a process while `look` runs. */
async function holding(name: string, look: () => Promise<void>): Promise<void> {
  const pid = processes().find((process) => process.name === name)?.pid;
  if (pid === undefined || pid === null) throw new Error(`There is no ${name}`);
  process.kill(pid, 'SIGSTOP');
  try {
    await look();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

it(
  'each signal goes bad by a fault of its own and good when that ends, and liveness knows nothing of it',
  async () => {
    await tell();
    await become(HEALTHY);

    await holding('telemetry-warehouse', async () => {
      await tell();
      const bad = { evidenceVisibility: 'bad', queueProcessing: 'bad' };
      await become({ ...HEALTHY, ...WITHOUT_WAREHOUSE, ...bad }, 'telemetry-warehouse');
    });
    await become(HEALTHY);

    await holding('jobs-worker', async () => {
      await tell();
      await become({ ...HEALTHY, diagnosticExecution: 'bad', queueProcessing: 'bad' }, 'jobs-worker');
    });
    await become(HEALTHY);

    await withBroker(async (broker) => {
      const channel = await broker.openChannel();
      channel.sendToQueue(QUEUES.extractionResults.name, Buffer.from('no message at all'));
      await channel.waitForConfirms();
      await become({ ...HEALTHY, queueProcessing: 'bad' });
      await channel.purgeQueue(deadLetterQueueOf(QUEUES.extractionResults.name));
      await channel.close();
    });
    await become(HEALTHY);

    await hungWalk(() => become({ ...HEALTHY, repairStatusSync: 'bad' }));
    await become(HEALTHY);

    for (const mechanism of RETENTION_MECHANISMS) {
      await hung(mechanism, () => become({ ...HEALTHY, [mechanism]: 'bad' }));
      await become(HEALTHY);
    }
  },
  TIMEOUT_MS,
);

/** Simulates a hung process that has claimed a walk through the issues of a tracker, while `look` runs. */
async function hungWalk(look: () => Promise<void>): Promise<void> {
  const nowMs = Date.now();
  await withMongo(async (connection) => {
    const walks = connection.getClient().db('clew_diagnostics').collection<{ _id: string }>('issue_walks');
    const held = { claim: 'hung', leaseUntil: nowMs + 3_600_000, dueAt: nowMs };
    await walks.insertOne({ _id: 'hung', projectId: 'prj_hung', ...held } as never);
    await look();
    await walks.deleteOne({ _id: 'hung' });
  });
}

/** Simulates a hung process that has claimed all sweeps of a mechanism, while `look` runs. */
async function hung(mechanism: RetentionMechanism, look: () => Promise<void>): Promise<void> {
  const nowMs = Date.now();
  const held = { claim: 'hung', leaseUntil: nowMs + 3_600_000, dueAt: nowMs, promisedAt: nowMs };
  await withMongo(async (connection) => {
    const sweeps = connection.getClient().db('clew_telemetry').collection('retention_sweeps');
    await sweeps.updateMany({ mechanism }, { $set: held });
    await look();
    await sweeps.updateMany({ mechanism, claim: 'hung' }, { $set: { leaseUntil: 0 } });
  });
}
