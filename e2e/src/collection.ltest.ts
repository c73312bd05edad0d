import { beforeAll, expect, it } from '@jest/globals';
import { MAX_ANALYSED_SNAPSHOTS, snapshotAnalysed, type Conversation, type Dataset } from '@clew/contracts';
import { inParts, newId } from '@clew/kernel';
import { createPublisher, QUEUES } from '@clew/messaging';
import { encodeConversation, eventually, toOtlpJson } from '@clew/testing';
import { callApi } from './support/api.ts';
import { killAndAwaitRecovery, type Victim } from './support/chaos.ts';
import { cancelledOrder } from './support/conversations.ts';
import { shortenTransactions, withMongo } from './support/database.ts';
import { allExamples, createTestDataset, type TestDataset } from './support/datasets.ts';
import { queuedMessages, withBroker } from './support/queues.ts';
import { inAnyOrder, seededRandom, type Draw } from './support/seeded-random.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const SEEDS = Number(process.env['CLEW_COLLECTION_SEEDS'] ?? 20);
/** One of so many seeds ends a process while the announcements are on their way. */
const KILL_EVERY = 4;
const TIMES = 10;
const WORKERS = 4;
const LONG = { timeoutMs: 120_000 };
const NAMES = Array.from({ length: 12 }, (_, index) => `order-${index}`);
const QUEUED = [QUEUES.analysedSnapshots, QUEUES.collection, QUEUES.collectionResults];
const VICTIMS: readonly Victim[] = [
  { kind: 'app', name: 'datasets-svc' },
  ...Array.from({ length: WORKERS }, (_, instance): Victim => ({ kind: 'app', name: 'jobs-worker', instance })),
];

let project: TestProject;
let snapshots: { conversationId: string; snapshotId: string }[];

beforeAll(async () => {
  await shortenTransactions();
  project = await createTestProject('replays');
  for (const name of NAMES) {
    const told = encodeConversation(cancelledOrder(name), {
      ...{ dialect: 'genai', startMs: Date.now() - 60_000, idSeed: `${project.id}:${name}` },
    });
    expect((await callApi(project.apiKey, '/v1/traces', { body: toOtlpJson(told) })).status).toBe(200);
  }
  snapshots = await Promise.all(NAMES.map(snapshotOf));
});

/** Names the snapshot of a conversation once it has been analysed. */
async function snapshotOf(conversationId: string) {
  await project.readyConversation(conversationId);
  return await eventually(async () => {
    const path = `/diagnostics/conversations/${conversationId}`;
    const { body } = await project.call<{ snapshotId: string | null } & Pick<Conversation, 'id'>>(path);
    expect(body.snapshotId).toEqual(expect.any(String));
    return { conversationId, snapshotId: body.snapshotId! };
  }, LONG);
}

/** Announces each conversation several times, in any order, in messages of any size. */
async function announce(draw: Draw): Promise<void> {
  const all = inAnyOrder(Array.from({ length: TIMES }, () => snapshots).flat(), draw);
  const nothing = { analysed: true, score: null, severity: null, findingIds: [], unknownRules: 0 };
  const { type, version } = snapshotAnalysed;
  await withBroker(async (broker) => {
    const publisher = createPublisher(broker);
    for (const part of inParts(all, () => 1 + draw(20), MAX_ANALYSED_SNAPSHOTS)) {
      await publisher.publish(snapshotAnalysed, {
        ...{ id: `${type}:${newId('evt')}`, type, version, occurredAt: 1, projectId: project.id, requestId: null },
        data: { snapshots: part.map((snapshot) => ({ ...snapshot, ...nothing })) },
      });
    }
    await publisher.close();
  });
}

/** Waits until all announcements have been taken and nothing is left to do. */
function untilSettled({ dataset }: TestDataset): Promise<void> {
  return eventually(async () => {
    const queued = await queuedMessages();
    expect(QUEUED.map(({ name }) => queued[name] ?? 0)).toEqual(QUEUED.map(() => 0));
    const rows = await withMongo((connection) =>
      connection
        .getClient()
        .db('clew_datasets')
        .collection('collection_decisions')
        .find({ datasetId: dataset.id })
        .toArray(),
    );
    expect(rows.map(({ state, outcome }) => [state, outcome])).toEqual(NAMES.map(() => ['decided', 'collected']));
  }, LONG);
}

it.each(Array.from({ length: SEEDS }, (_, seed) => [seed]))(
  'announcements in any order, ten times each, with workers that are killed, add each Example once (seed %i)',
  async (seed) => {
    const draw = seededRandom(seed);
    const dataset = await createTestDataset(project, { collectionObjective: 'preserve_successful_behavior' });
    const victim = seed % KILL_EVERY === 0 ? VICTIMS[draw(VICTIMS.length)] : undefined;
    await Promise.all([announce(draw), victim === undefined ? undefined : killAndAwaitRecovery(victim)]);
    await untilSettled(dataset);
    const examples = await allExamples(project, dataset.path);
    expect(examples.map(({ source }) => source.conversationId).toSorted()).toEqual(NAMES.toSorted());
    expect((await project.call<Dataset>(dataset.path)).body.exampleCount).toBe(NAMES.length);
    expect((await project.call(dataset.path, { method: 'DELETE' })).status).toBeLessThan(300);
  },
);
