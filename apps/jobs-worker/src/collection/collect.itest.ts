import { beforeEach, expect, it } from '@jest/globals';
import type { collectionCompleted } from '@clew/contracts';
import {
  analysisRequested,
  collectionRequested,
  type CollectionObjective,
  type CollectionSubject,
  type ConversationSnapshot,
  type DiagnosedConversation,
  type EnvelopeOf,
} from '@clew/contracts';
import { createInferenceClient } from '@clew/inference';
import { newId, systemClock } from '@clew/kernel';
import { consume, createPublisher, QUEUES, type Broker } from '@clew/messaging';
import { DEFAULT_RULE_CONFIGURATION } from '@clew/rules';
import { eventually, silentLogger, useCleanup, useTestEnvironment } from '@clew/testing';
import { openTestBroker, openTestHost } from '@clew/testing-host';
import { WorkerConfig } from '../config.ts';
import { createWorker } from '../create-worker.ts';
import { correctedConversation } from '../test-support/conversations.ts';
import { startDiagnostics, type LoopbackDiagnostics } from '../test-support/diagnostics.ts';
import { itemOf } from '../test-support/items.ts';
import { startKnowledge, type LoopbackKnowledge } from '../test-support/knowledge.ts';
import { startWarehouse, type LoopbackWarehouse } from '../test-support/warehouse.ts';

type Looked = EnvelopeOf<typeof collectionCompleted>['data']['looks'][number];

const environment = useTestEnvironment();
const cleanup = useCleanup();
const logger = silentLogger();
let warehouse: LoopbackWarehouse;
let diagnostics: LoopbackDiagnostics;
let knowledge: LoopbackKnowledge;
let broker: Broker;
let results: EnvelopeOf<typeof collectionCompleted>[];

beforeEach(async () => {
  warehouse = await startWarehouse();
  diagnostics = await startDiagnostics();
  knowledge = await startKnowledge();
  broker = await openTestBroker(environment, { service: 'jobs-worker' });
  const told: typeof results = [];
  results = told;
  const consumer = consume({
    ...{ broker, logger, queue: QUEUES.collectionResults },
    handle: async (result) => void told.push(result),
  });
  const host = await openTestHost(environment, { name: 'jobs-worker', config: WorkerConfig, clock: systemClock });
  const inference = createInferenceClient({
    ...{ baseUrl: 'http://127.0.0.1:1', serviceName: 'jobs-worker', sign: () => 'token' },
  });
  const served = await host.serve(
    createWorker({
      ...{ ...host, warehouse: warehouse.clientFor(), diagnostics: diagnostics.client, knowledge: knowledge.client },
      ...{ inference, rules: [] },
    }),
  );
  served.start();
  cleanup(async () => {
    await consumer.stop();
    await served.stop();
    await host.close();
    await broker.close();
    await knowledge.stop();
    await diagnostics.stop();
    await warehouse.stop();
  });
});

/** Conversation whose user is content in the end. */
function contentConversation(projectId: string, conversationId: string): ConversationSnapshot {
  const snapshot = correctedConversation(projectId, conversationId);
  const last = snapshot.messages.at(-1)!;
  const thanks = { ...last, index: last.index + 1, role: 'user' as const, content: 'Great, thank you!' };
  const said = { ...snapshot.messages[2]!, content: 'And the other one, of a@b.example?' };
  return { ...snapshot, messages: [...snapshot.messages.slice(0, 2), said, last, thanks] };
}

const knownAs = (conversationId: string, more: Partial<DiagnosedConversation> = {}): DiagnosedConversation => {
  return { conversationId, snapshotId: null, score: 0.1, problems: [], ...more };
};

/** Subject of a look at a conversation. */
function conversation(projectId: string, conversationId: string): CollectionSubject {
  const { snapshotId } = correctedConversation(projectId, conversationId);
  return { kind: 'conversation', conversationId, snapshotId };
}

const nameOf = (subject: CollectionSubject) => (subject.kind === 'item' ? subject.itemId : subject.conversationId);

/** Has the worker analyse some conversations, and waits for its result. */
async function analyse(projectId: string, names: readonly string[]): Promise<void> {
  const { type, version } = analysisRequested;
  const analysed: string[] = [];
  const consumer = consume({
    ...{ broker, logger, queue: QUEUES.analysisResults },
    handle: async ({ data }) => void analysed.push(...data.conversations.map(({ conversationId }) => conversationId)),
  });
  const publisher = createPublisher(broker);
  await publisher.publish(analysisRequested, {
    ...{ id: `${type}:${projectId}`, type, version, occurredAt: 1, projectId, requestId: null },
    data: {
      rules: [{ ruleId: 'rule_unknown', configuration: DEFAULT_RULE_CONFIGURATION }],
      snapshots: names.map((name) => correctedConversation(projectId, name)),
    },
  });
  await publisher.close();
  await eventually(() => expect(analysed).toEqual(expect.arrayContaining([...names])));
  await consumer.stop();
}

/** Has the worker look at some subjects, and returns what it says of each. */
async function look(
  projectId: string,
  subjects: readonly CollectionSubject[],
  objective: CollectionObjective = 'preserve_successful_behavior',
): Promise<Map<string, Looked>> {
  const { type, version } = collectionRequested;
  const publisher = createPublisher(broker);
  await publisher.publish(collectionRequested, {
    ...{ id: `${type}:${newId('evt')}`, type, version, occurredAt: 1, projectId, requestId: null },
    data: {
      ...{ datasetId: 'dst_1', objective, redaction: true },
      looks: subjects.map((subject) => ({ subject, round: 1 })),
    },
  });
  await publisher.close();
  return await eventually(() => {
    const told = results.filter((result) => result.projectId === projectId).flatMap(({ data }) => data.looks);
    if (told.length < subjects.length) throw new Error('There is no result yet');
    return new Map(told.map((each): [string, Looked] => [nameOf(each.subject), each]));
  });
}

/** Reason of each look, by the name of its subject. */
const reasonsOf = (told: ReadonlyMap<string, Looked>) =>
  Object.fromEntries(
    [...told].map(([name, { outcome }]) => [name, 'reason' in outcome ? outcome.reason : outcome.because]),
  );

it('tells of each conversation of a command what a Dataset collects, or why nothing', async () => {
  const projectId = newId('prj');
  const problem = {
    ...{ findingId: 'fnd_1', ruleKey: 'loop', severity: 'high' as const, title: 't', causeAssessment: '' },
    ...{ remediationHint: '', reviewStatus: 'unreviewed' as const, resolutionStatus: 'unresolved' as const },
    anchor: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), stepIndex: 1, quotes: [] },
    location: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), stepIndex: 1, quotes: [] },
  };
  const known = [
    knownAs('good'),
    knownAs('bad', { problems: [problem] }),
    knownAs('excused', { problems: [{ ...problem, reviewStatus: 'dismissed' }] }),
    knownAs('doubtful', { score: 0.9 }),
    knownAs('gone'),
  ];
  for (const each of known) diagnostics.conversations.set(each.conversationId, each);
  const names = ['good', 'bad', 'excused', 'doubtful', 'unknown'];
  for (const name of names) {
    const snapshot = contentConversation(projectId, name);
    warehouse.snapshots.set(snapshot.snapshotId, snapshot);
  }
  const told = await look(
    projectId,
    [...names, 'gone'].map((name) => conversation(projectId, name)),
  );
  expect(reasonsOf(told)).toEqual({
    ...{ good: 'confirmation', bad: 'open_problem', excused: 'confirmation', doubtful: 'likely_failed' },
    ...{ unknown: 'not_analysed', gone: 'conversation_gone' },
  });
  expect(told.get('bad')?.problems).toEqual([{ findingId: 'fnd_1', severity: 'high', reviewStatus: 'unreviewed' }]);
  expect(told.get('good')?.outcome).toMatchObject({ status: 'collected', redacted: 1 });
  expect(JSON.stringify([...told])).not.toContain('a@b.example');
});

it('looks without another read at a success that this worker analysed a moment ago', async () => {
  const projectId = newId('prj');
  const names = ['before', 'good', 'bad'];
  for (const name of names) {
    const snapshot = name === 'bad' ? correctedConversation(projectId, name) : contentConversation(projectId, name);
    warehouse.snapshots.set(snapshot.snapshotId, snapshot);
    diagnostics.conversations.set(name, knownAs(name));
  }
  const [before, good, bad] = names.map((name) => conversation(projectId, name));
  await look(projectId, [before!]);
  await analyse(projectId, ['good', 'bad']);
  const read = warehouse.asked.length;
  results.length = 0;
  expect(reasonsOf(await look(projectId, [good!]))).toEqual({ good: 'confirmation' });
  expect(warehouse.asked).toHaveLength(read);
  results.length = 0;
  expect(reasonsOf(await look(projectId, [good!, bad!]))).toEqual({ good: 'confirmation', bad: 'no_success_signal' });
  expect(warehouse.asked).toHaveLength(read + 1);
});

it('tells of conversations what response a model is to write, and from what', async () => {
  const projectId = newId('prj');
  const names = ['corrected', 'content', 'gone'];
  const snapshots = [correctedConversation(projectId, 'corrected'), contentConversation(projectId, 'content')];
  for (const snapshot of snapshots) warehouse.snapshots.set(snapshot.snapshotId, snapshot);
  for (const name of names) diagnostics.conversations.set(name, knownAs(name));
  const told = await look(
    projectId,
    names.map((name) => conversation(projectId, name)),
    'learn_from_user_corrections',
  );
  expect(reasonsOf(told)).toEqual({
    ...{ corrected: 'user_correction', content: 'no_user_correction', gone: 'conversation_gone' },
  });
  expect(told.get('corrected')?.outcome).toEqual({
    ...{ status: 'to_synthesize', because: 'user_correction', stepIndex: 1 },
    derivationKey: expect.stringMatching(/^learn_from_user_corrections:[0-9a-f]{32}$/),
    basis: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
});

it('tells of Knowledge items which are to be taught', async () => {
  const projectId = newId('prj');
  const [active, archived, gone] = [newId('kitm'), newId('kitm'), newId('kitm')];
  knowledge.items.set(active, itemOf({ id: active }));
  knowledge.items.set(archived, itemOf({ id: archived, status: 'archived' }));
  const told = await look(
    projectId,
    [active, archived, gone].map((itemId) => ({ kind: 'item', itemId })),
    'teach_project_knowledge',
  );
  expect(reasonsOf(told)).toEqual({ [active]: 'knowledge_item', [archived]: 'not_active', [gone]: 'item_gone' });
  expect(told.get(active)).toMatchObject({ problems: [], round: 1, outcome: { stepIndex: null } });
});
