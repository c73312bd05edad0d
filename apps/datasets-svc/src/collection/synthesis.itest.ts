import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  collectionCompleted,
  knowledgeItemChanged,
  modelAvailabilityChanged,
  snapshotAnalysed,
  synthesisCompleted,
  type CollectionDecision,
  type collectionRequested,
  type Dataset,
  type EnvelopeOf,
  type Example,
  type Synthesis,
  type synthesisRequested,
} from '@clew/contracts';
import { derivedId, newId, sha256Hex, systemClock } from '@clew/kernel';
import { consume, QUEUES, startRelay, type Consumer, type Relay } from '@clew/messaging';
import { nativeDb } from '@clew/persistence';
import { eventually, silentLogger, storedText, useTestEnvironment } from '@clew/testing';
import { startTestService, type TestService } from '../test-support/service.ts';

type Looked = EnvelopeOf<typeof collectionCompleted>['data']['looks'][number];
type Asked = EnvelopeOf<typeof synthesisRequested>['data'];
type Written = EnvelopeOf<typeof synthesisCompleted>['data']['outcome'];

const environment = useTestEnvironment();
const LONG = { timeoutMs: 20_000 };
const MODEL = 'loop/wise';
const CORRECTING = { collectionObjective: 'correct_failed_conversations', collectionModel: MODEL } as const;
const TEACHING = { collectionObjective: 'teach_project_knowledge', collectionModel: MODEL } as const;
let service: TestService;
let relay: Relay;
let consumers: Consumer[];
let projectId: string;
/** Responses that were asked for in the project of a test. */
let asked: Asked[];
/** Answer of the worker to a look, and of the model; by default a response is to be written, and is written. */
let look: (subject: Looked['subject']) => Looked['outcome'];
let write: (asked: Asked) => Written;

beforeAll(async () => {
  service = await startTestService(environment, { clock: systemClock });
  service.start();
  relay = startRelay({ database: service.database, publisher: service.publisher, logger: silentLogger() });
  const base = { broker: service.broker, logger: silentLogger() };
  consumers = [
    consume({ ...base, queue: QUEUES.collection, handle: answerLooks }),
    consume({ ...base, queue: QUEUES.synthesis, handle: answerSynthesis }),
  ];
});

afterAll(async () => {
  for (const consumer of consumers) await consumer.stop();
  await relay.stop();
  await service.stop();
});

beforeEach(() => {
  projectId = newId('prj');
  asked = [];
  look = (subject) => ({ status: 'to_synthesize', ...synthesisOf(subject) });
  write = written;
  service.modelRuntime.reasons.set(MODEL, null);
});

async function answerLooks({ id, data, ...of }: EnvelopeOf<typeof collectionRequested>): Promise<void> {
  const { type, version } = collectionCompleted;
  const looks = data.looks.map((each) => ({ ...each, problems: [], outcome: look(each.subject) }));
  await service.publisher.publish(collectionCompleted, {
    ...{ ...of, id: `${type}:${sha256Hex(id)}`, type, version },
    data: { datasetId: data.datasetId, objective: data.objective, looks },
  });
}

async function answerSynthesis({ id, data, ...of }: EnvelopeOf<typeof synthesisRequested>): Promise<void> {
  const { redaction: _, capabilities: __, ...about } = data;
  if (of.projectId === projectId) asked.push(data);
  const outcome = write(data);
  const calls = outcome.status === 'later' ? 0 : 2;
  const { type, version } = synthesisCompleted;
  await service.publisher.publish(synthesisCompleted, {
    ...{ ...of, id: `${type}:${id}`, type, version },
    data: { ...about, calls, tokens: 100 * calls, outcome },
  });
}

/** Lets a model be available, and tells that. */
async function modelIsThere(): Promise<void> {
  service.modelRuntime.reasons.set(MODEL, null);
  const { type, version } = modelAvailabilityChanged;
  await service.publisher.publish(modelAvailabilityChanged, {
    ...{ id: newId('evt'), type, version, occurredAt: 1, projectId, requestId: null },
    data: { model: MODEL, available: true, reason: null },
  });
}

const nameOf = (subject: Looked['subject']) => (subject.kind === 'item' ? subject.itemId : subject.conversationId);

function synthesisOf(subject: Looked['subject'], basis = 'first'): Synthesis {
  return {
    because: subject.kind === 'item' ? 'knowledge_item' : 'grave_finding',
    stepIndex: subject.kind === 'item' ? null : 1,
    derivationKey: `key:${sha256Hex(nameOf(subject)).slice(0, 32)}`,
    basis,
  };
}

function written({ subject, synthesis: { derivationKey, basis } }: Asked): Written {
  const source =
    subject.kind === 'item'
      ? { kind: 'synthetic', externalRef: subject.itemId }
      : { kind: 'conversation', conversationId: subject.conversationId, traceIds: ['a'.repeat(32)] };
  const example = {
    payload: { input: { type: 'text', text: `${nameOf(subject)}, from ${basis}` } },
    source: { ...source, derivationKey },
    tags: ['collected', `model:${MODEL}`],
  };
  return { status: 'collected', examples: [{ derivationKey, example }], redacted: 0, secondLook: 'confirmed' };
}

const refusedBy = (reason: 'not_grounded' | 'second_look') => (): Written => ({ status: 'refused', reason });

async function collecting(settings: object = CORRECTING) {
  const { dataset, path } = await service.newDataset(projectId, settings);
  return {
    ...{ dataset, path },
    examples: async (query = '') =>
      (await service.call<{ examples: Example[] }>({ projectId, path: `${path}/examples${query}` })).body.examples,
    async decision(name: string) {
      const query = name.startsWith('kitm_') ? `itemId=${name}` : `conversationId=${name}`;
      const { body } = await service.call<{ decisions: CollectionDecision[] }>({
        ...{ projectId, path: `${path}/collection/decisions?${query}` },
      });
      return body.decisions[0];
    },
    async change(body: object) {
      const { status } = await service.call<Dataset>({ method: 'PATCH', projectId, path, body });
      expect(status).toBe(200);
    },
  };
}

type Collecting = Awaited<ReturnType<typeof collecting>>;

async function tell(conversationId: string, revision = 1): Promise<void> {
  const { type, version } = snapshotAnalysed;
  const snapshotId = derivedId('cesr', conversationId, `${revision}`);
  const nothing = { analysed: true, score: null, severity: null, findingIds: [], unknownRules: 0 };
  await service.publisher.publish(snapshotAnalysed, {
    ...{ id: `${type}:${projectId}:${snapshotId}`, type, version, occurredAt: 1, projectId, requestId: null },
    data: { snapshots: [{ conversationId, snapshotId, ...nothing }] },
  });
}

async function tellItem(itemId: string, revision: number, status: 'active' | 'archived' | 'erased', goalId = 'goal_1') {
  const { type, version } = knowledgeItemChanged;
  await service.publisher.publish(knowledgeItemChanged, {
    ...{ id: `${type}:${itemId}:${revision}`, type, version, occurredAt: 1, projectId, requestId: null },
    data: { items: [{ itemId, goalId, status, kind: 'fact', authority: 'user_stated', revision }] },
  });
}

const until = (of: Collecting, name: string, wanted: object) =>
  eventually(async () => expect(await of.decision(name)).toMatchObject(wanted), LONG);

describe('a response that a model has to write', () => {
  it('is asked for once, however often its conversation is told, and the ledger names model and reason', async () => {
    const of = await collecting();
    for (const revision of [1, 1, 2]) await tell('one', revision);
    await until(of, 'one', { outcome: 'collected', because: 'grave_finding', reason: null, model: MODEL });
    await tell('one', 3);
    await tell('two');
    await until(of, 'two', { outcome: 'collected' });
    expect(asked.map(({ subject }) => nameOf(subject)).toSorted()).toEqual(['one', 'two']);
    expect(asked[0]).toMatchObject({ model: MODEL, redaction: true, objective: 'correct_failed_conversations' });
    expect((await of.examples()).map(({ tags }) => tags)).toEqual(Array(2).fill(['collected', `model:${MODEL}`]));
  });

  it('waits for a model that needs setup, and follows by itself once it is there', async () => {
    service.modelRuntime.reasons.set(MODEL, 'no_json_mode');
    const of = await collecting();
    await tell('one');
    await until(of, 'one', { outcome: 'to_synthesize', because: 'grave_finding', model: null });
    expect(asked).toEqual([]);
    await modelIsThere();
    await until(of, 'one', { outcome: 'collected' });
  });

  it('that was refused is asked for again under another policy or by hand, and else not', async () => {
    const of = await collecting();
    write = refusedBy('not_grounded');
    await tell('one');
    await until(of, 'one', { outcome: 'refused', reason: 'not_grounded', model: MODEL, exampleIds: [] });
    await tell('one', 2);
    await tell('two');
    await until(of, 'two', { outcome: 'refused' });
    expect(asked).toHaveLength(2);
    service.sources.ready.set(projectId, [readyOf('one', 1)]);
    write = written;
    const path = `${of.path}/collection/collect`;
    const now = { method: 'POST', projectId, path, body: { conversationIds: ['one', 'none'] } } as const;
    expect(await service.call(now)).toMatchObject({
      status: 202,
      body: { conversationIds: ['one'], unknown: ['none'] },
    });
    await until(of, 'one', { outcome: 'collected' });
    service.modelRuntime.reasons.set('loop/other', null);
    await of.change({ collectionModel: 'loop/other' });
    await tell('two', 2);
    await until(of, 'two', { outcome: 'collected', model: 'loop/other' });
  });

  it('is asked for once while it waits, from the latest snapshot, however often its conversation goes on', async () => {
    service.modelRuntime.reasons.set(MODEL, 'no_json_mode');
    const of = await collecting();
    await tell('one', 1);
    await until(of, 'one', { outcome: 'to_synthesize' });
    const latest = derivedId('cesr', 'one', '2');
    const { decidedAt } = (await of.decision('one'))!;
    await tell('one', 2);
    await eventually(async () => expect((await of.decision('one'))!.decidedAt).toBeGreaterThan(decidedAt), LONG);
    await modelIsThere();
    await until(of, 'one', { outcome: 'collected' });
    expect(asked.map(({ subject, round }) => [subject, round])).toEqual([
      [{ kind: 'conversation', conversationId: 'one', snapshotId: latest }, 1],
    ]);
  });

  it('that could not be written because its words were gone is asked for when they are back', async () => {
    const of = await collecting();
    write = () => ({ status: 'refused', reason: 'conversation_gone' });
    await tell('one', 1);
    await until(of, 'one', { outcome: 'refused', reason: 'conversation_gone' });
    write = written;
    await tell('one', 2);
    await until(of, 'one', { outcome: 'collected' });
  });

  it('is asked for later where the model cannot be asked now, and given up where it fails for good', async () => {
    const of = await collecting();
    write = ({ tries }) =>
      tries === 1
        ? { status: 'later', reason: 'No place', retryAfterMs: 0, isBudget: false, isUntried: true }
        : { status: 'failed', reason: 'no valid answer' };
    await tell('one');
    await until(of, 'one', { outcome: 'refused', reason: 'model_failed' });
    expect(asked.map(({ tries }) => tries)).toEqual([1, 2]);
  });

  it('waits for the next day where the Dataset has no more budget', async () => {
    const of = await collecting({ ...CORRECTING, dailySyntheses: 2 });
    for (const name of ['one', 'two', 'three']) await tell(name);
    await eventually(async () => {
      const outcomes = await Promise.all(
        ['one', 'two', 'three'].map(async (name) => (await of.decision(name))?.outcome),
      );
      expect(outcomes.toSorted()).toEqual(['collected', 'collected', 'to_synthesize']);
    }, LONG);
    expect(asked).toHaveLength(2);
  });

  it('that comes after the Dataset was frozen adds nothing', async () => {
    service.modelRuntime.reasons.set(MODEL, 'no_json_mode');
    const of = await collecting();
    await tell('one');
    await until(of, 'one', { outcome: 'to_synthesize' });
    await of.change({ collectionEnabled: false });
    await modelIsThere();
    await until(of, 'one', { outcome: 'refused', reason: 'collection_off' });
    expect([asked, await of.examples()]).toEqual([[], []]);
  });

  it('becomes stale when its reason is gone, and is fresh again without a call when it is back', async () => {
    const of = await collecting();
    await tell('one');
    await until(of, 'one', { outcome: 'collected' });
    look = () => ({ status: 'refused', reason: 'no_grave_problem' });
    await tell('one', 2);
    await until(of, 'one', { outcome: 'stale', reason: 'no_grave_problem' });
    expect((await of.examples())[0]?.tags).toContain('stale');
    look = (subject) => ({ status: 'to_synthesize', ...synthesisOf(subject) });
    await tell('one', 3);
    await until(of, 'one', { outcome: 'collected' });
    expect((await of.examples())[0]?.tags).not.toContain('stale');
    expect(asked).toHaveLength(1);
  });

  it('that a person deleted is not asked for again', async () => {
    const of = await collecting();
    await tell('one');
    await until(of, 'one', { outcome: 'collected' });
    const [example] = await of.examples();
    const path = `${of.path}/examples/${example!.id}`;
    expect((await service.call({ method: 'DELETE', projectId, path })).status).toBe(204);
    look = (subject) => ({ status: 'to_synthesize', ...synthesisOf(subject, 'second') });
    await tell('one', 2);
    await tell('two');
    await until(of, 'two', { outcome: 'collected' });
    await until(of, 'one', { outcome: 'removed_by_hand' });
    expect(asked).toHaveLength(2);
  });
});

describe('a Knowledge item', () => {
  const [one, other] = [newId('kitm'), newId('kitm')] as const;

  it('is taught by the Datasets that take its goal, anew when it changes, and is stale once it is not active', async () => {
    const of = await collecting(TEACHING);
    const narrowed = await collecting({ ...TEACHING, collectionFilters: { knowledgeGoalIds: ['goal_2'] } });
    await tellItem(one, 1, 'active');
    await tellItem(other, 1, 'active', 'goal_2');
    await until(narrowed, other, { outcome: 'collected', because: 'knowledge_item', conversationId: null });
    await until(of, one, { outcome: 'collected', itemId: one });
    expect(await narrowed.decision(one)).toBeUndefined();
    look = (subject) => ({ status: 'to_synthesize', ...synthesisOf(subject, 'second') });
    await tellItem(one, 2, 'active');
    await eventually(async () => expect(JSON.stringify(await of.examples())).toContain(`${one}, from second`), LONG);
    look = () => ({ status: 'refused', reason: 'not_active' });
    await tellItem(one, 3, 'archived');
    await until(of, one, { outcome: 'stale', reason: 'not_active' });
    expect(await of.examples()).toHaveLength(2);
  });

  it('that was erased takes its Example out of every version, also of a frozen Dataset', async () => {
    const item = newId('kitm');
    const of = await collecting(TEACHING);
    await tellItem(item, 1, 'active');
    await until(of, item, { outcome: 'collected' });
    await of.change({ collectionEnabled: false });
    look = () => ({ status: 'refused', reason: 'item_gone' });
    await tellItem(item, 2, 'erased');
    await until(of, item, { outcome: 'refused', reason: 'item_gone', exampleIds: [] });
    expect(await of.examples()).toEqual([]);
    const texts = await storedText(nativeDb(service.database.connection));
    const places = [...texts].filter(([, text]) => text.includes(`${item}, from`)).map(([name]) => name);
    expect(places).toEqual([]);
  });
});

const readyOf = (conversationId: string, daysAgo: number) => ({
  ...{ conversationId, snapshotId: derivedId('cesr', conversationId, 'ready'), contentHash: 'c', messagesHash: 'm' },
  ...{ revision: 1, startedAt: 1, lastActivityAt: Date.now() - daysAgo * 86_400_000, messageCount: 2, agents: [] },
});

describe('a Dataset that begins to collect', () => {
  it('looks at what there was in its last days, the latest first and at most as many as it says', async () => {
    const names = ['old', 'third', 'second', 'first'];
    const days = [9, 6, 4, 1];
    service.sources.ready.set(
      projectId,
      names.map((name, at) => readyOf(name, days[at]!)),
    );
    const of = await collecting({ ...CORRECTING, collectionEnabled: false });
    await of.change({ collectionCatchUp: { days: 7, conversations: 2 } });
    await of.change({ collectionEnabled: true });
    for (const name of ['first', 'second']) await until(of, name, { outcome: 'collected' });
    await of.change({ collectionCatchUp: { days: 7, conversations: 100 }, collectionEnabled: false });
    await of.change({ collectionEnabled: true });
    await until(of, 'third', { outcome: 'collected' });
    expect(await of.decision('old')).toBeUndefined();
  });

  it('begins with what comes when it is made, unless its maker asks for more', async () => {
    service.sources.ready.set(projectId, [readyOf('before', 1)]);
    const plain = await collecting();
    const eager = await collecting({ ...CORRECTING, collectionCatchUp: { days: 2, conversations: 10 } });
    await until(eager, 'before', { outcome: 'collected' });
    expect(await plain.decision('before')).toBeUndefined();
  });

  it('takes the items that Knowledge has already', async () => {
    const itemId = newId('kitm');
    const item = { id: itemId, goalId: 'goal_1', createdAt: Date.now() } as never;
    service.sources.items.set(projectId, [item]);
    const of = await collecting({ ...TEACHING, collectionEnabled: false });
    await of.change({ collectionEnabled: true });
    await until(of, itemId, { outcome: 'collected' });
  });

  it('is needed to collect by hand', async () => {
    const of = await collecting({ ...CORRECTING, collectionEnabled: false });
    const path = `${of.path}/collection/collect`;
    const refused = await service.call({ method: 'POST', projectId, path, body: { conversationIds: ['one'] } });
    expect(refused).toMatchObject({ status: 409, body: { code: 'COLLECTION_OFF' } });
  });
});
