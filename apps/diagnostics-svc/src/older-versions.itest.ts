import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  analysisCompletedV1,
  conversationReady,
  type analysisRequested,
  type conversationFindingsChanged,
  type EnvelopeOf,
  type Finding,
} from '@clew/contracts';
import { newId, readJson } from '@clew/kernel';
import { declareQueue, QUEUES, queueDepth, type QueueSpec } from '@clew/messaging';
import { outboxCollection } from '@clew/persistence';
import { BUILT_IN_RULES } from '@clew/rules';
import { eventually, useTestEnvironment } from '@clew/testing';
import { migrateWithKills, openRestored, type RestoredDatabase } from '@clew/testing-host';
import { migrations } from './migrations.ts';
import { runsOf } from './test-support/analyses.ts';
import {
  BEFORE_ANALYSES,
  readBeforeAnalyses,
  type OlderVersion,
  type Ready,
  type Result,
} from './test-support/older-version.ts';
import { resultOf, resultOfV1, type ResultParts } from './test-support/results.ts';
import { startTestService, type TestService } from './test-support/service.ts';

/** The last migration of that version. */
const LATEST_THEN = '0003-inbox';

/** What a Finding says since: of models, which were not asked then, and of what nobody could set. */
const ADDED_TO_FINDINGS = {
  confidenceSource: { kind: 'rules' },
  ...{ verification: null, assignee: null, snooze: null },
  ...{ mergedInto: null, mergedFindingIds: [], splitFrom: null, splits: [] },
};
const ADDED_TO_SETTINGS = { expectationActivation: 'grammar', dailyAdjudications: 200 };

const environment = useTestEnvironment();
let then: OlderVersion;
let restored: RestoredDatabase;
let service: TestService;

beforeEach(async () => {
  then = await readBeforeAnalyses();
  restored = await openRestored(environment, BEFORE_ANALYSES);
  service = await startTestService({ ...environment, database: restored.name });
  // That version's clock had gone on.
  service.clock.advance(3_600_000);
  // The queue of the version before is there, as in a broker that it has used.
  const channel = await service.broker.openChannel();
  await declareQueue(channel, QUEUES.analysisResultsV1);
  await channel.close();
});

afterEach(async () => {
  await service.stop();
  await restored.drop();
});

describe('a database of the version before one record for the analysis of a snapshot', () => {
  it('answers every read as that version did', async () => {
    expect(Object.keys(then.reads)).toHaveLength(5);
    await expectReadsAsThen();
    const settings = await service.call({ projectId: then.other, path: '/settings' });
    expect(settings.body).toEqual({ settings: { ...then.settingsOfOther.settings, ...ADDED_TO_SETTINGS } });
  });

  it('does not list what nothing shows any more, and answers it by its id, which that version did not', async () => {
    const { findings } = (await service.call<{ findings: Finding[] }>({ path: '/findings' })).body;
    expect(then.withdrawn).toHaveLength(1);
    for (const id of then.withdrawn) {
      expect(findings.map((finding) => finding.id)).not.toContain(id);
      expect(await findingOf(id)).toMatchObject({ id, occurrenceCount: 0, reviewStatus: 'unreviewed' });
    }
  });

  it('has every run as it was', async () => {
    expect(Object.keys(then.runs)).toHaveLength(8);
    expect(await runsNow()).toEqual(then.runs);
  });

  it('has Findings that are reviewed, resolved, and regress', async () => {
    const { id } = await shownTwice();
    const path = `/findings/${id}`;
    const etag = (await service.call({ path })).headers.get('etag') ?? '';
    const change = (body: object, headers = {}) => service.call({ method: 'PATCH', path, body, headers });
    expect((await change({ reviewStatus: 'confirmed' }, { 'if-match': etag })).status).toBe(200);
    expect((await change({ reviewStatus: 'dismissed' }, { 'if-match': etag })).status).toBe(412);
    expect((await change({ resolutionStatus: 'resolved' })).status).toBe(200);
    const { resolvedAt } = await findingOf(id);
    service.clock.advance(60_000);
    await service.take(showing('later-30', { startedAt: service.clock.now(), throughMs: service.clock.now() + 1_000 }));
    const regressed = { reviewStatus: 'confirmed', resolutionStatus: 'regressed', resolvedAt, occurrenceCount: 3 };
    expect(await findingOf(id)).toMatchObject(regressed);
  });
});

describe('what the version before has analysed', () => {
  it('is not analysed again when it is announced again: only Rules that there were not then are run', async () => {
    await takeReady(then.ready);
    const commands = await commandsNow();
    const named = commands.flatMap(({ data }) => data.snapshots.map(({ snapshotId }) => snapshotId));
    const announced = then.ready.filter(({ projectId }) => projectId === then.project).flatMap(snapshotIdsOf);
    expect(named.toSorted()).toEqual(announced.toSorted());
    expect(new Set(commands.flatMap(({ data }) => data.rules.map(({ ruleId }) => ruleId)))).toEqual(rulesSince());
    await expectRunsThen();
    await expectReadsAsThen();
  });

  it('is not when it is asked for', async () => {
    const { conversationId, messages, lastActivityAt, answered } = then.asked;
    service.warehouse.conversations.set(`${then.project}:${conversationId}`, messages);
    const ask = () =>
      service.call({ method: 'POST', path: '/analysis-runs', body: { conversationId, lastActivityAt } });
    expect(answered).toEqual({ enabledRules: 5, runsCreated: 5 });
    const enabledRules = BUILT_IN_RULES.length;
    expect((await ask()).body).toEqual({ enabledRules, runsCreated: enabledRules - answered.runsCreated });
    expect((await ask()).body).toEqual({ enabledRules, runsCreated: 0 });
  });

  it('is taken once, also when its results come again, under their ids or under others', async () => {
    const others = then.results.map((result) => ({ ...result, id: newId('evt') }));
    await takeResults([...then.results, ...others]);
    expect(await runsNow()).toEqual(then.runs);
    await expectReadsAsThen();
    expect(await countsNow()).toEqual([]);
  });
});

describe('the analysis that the version before has begun', () => {
  it('ends with the result of a worker of that version', async () => {
    const { id, occurrenceCount } = await shownTwice();
    const ready = then.ready.flatMap(({ data }) => data.conversations).find(ofConversation('open-20'));
    const like = resultOnFailing();
    const { startedAt, lastActivityAt: throughMs, snapshotId = '' } = ready ?? {};
    const snapshot = { ...like.data.snapshot, snapshotId, startedAt, throughMs };
    const result = { ...like, id: newId('evt'), data: { ...like.data, conversationId: 'open-20', snapshot } } as Result;
    const isQueued = (line: string) => line.endsWith(' queued: null');
    expect(then.runs[snapshotId]?.every(isQueued)).toBe(true);
    // The command of then is still to be published.
    expect(await pending('diagnostics.analysis.requested.v1')).toMatchObject([{ data: { snapshotId } }]);
    await takeResults([result]);
    expect((await runsNow())[snapshotId]?.some(isQueued)).toBe(false);
    expect(await findingOf(id)).toMatchObject({ occurrenceCount: occurrenceCount + 1 });
    expect(await countsNow()).toMatchObject([{ conversationId: 'open-20', findingCount: 1 }]);
  });

  it('goes on: a later snapshot renews what its conversation shows, or withdraws it; an earlier one does neither', async () => {
    const { id, firstDetectedAt, lastDetectedAt } = await shownTwice();
    const later = { revision: 2, throughMs: service.clock.now() };
    await service.take(showing('order-17', later), showing('order-22', later, []));
    const after = await findingOf(id);
    expect(after).toMatchObject({ occurrenceCount: 1, conversationId: 'order-17', firstDetectedAt });
    expect(after.evidenceWindow.conversationIds).toEqual(['order-17']);
    expect(after.lastDetectedAt).toBeGreaterThan(lastDetectedAt);
    const [count, ...others] = await countsNow();
    expect([count, others]).toMatchObject([{ conversationId: 'order-22', findingCount: 0 }, []]);
    expect(count?.sequence).toBeGreaterThan(then.told.findLast(ofConversation('order-22'))?.sequence ?? Infinity);
    const { data } = resultOnFailing();
    const earlier = { ...resultOnFailing(), id: newId('evt'), data: { ...data, conversationId: 'order-22' } };
    await takeResults([earlier]);
    expect(await findingOf(id)).toMatchObject({ occurrenceCount: 1 });
  });
});

it('migrations that are killed before they are noted leave, run again, what those leave that ran through', async () => {
  const { through, killed, kills } = await migrateWithKills(environment, BEFORE_ANALYSES, migrations);
  expect(kills).toEqual(migrations.map(({ id }) => id).filter((id) => id > LATEST_THEN));
  expect(killed).toEqual(through);
  expect(Object.keys(through)).toEqual(expect.arrayContaining(['analyses', 'findings', 'occurrences']));
  expect(Object.keys(through)).not.toContain('analysis_runs');
});

async function expectReadsAsThen(): Promise<void> {
  for (const [path, body] of Object.entries(then.reads)) {
    const answer = await service.call({ path });
    expect({ path, status: answer.status, body: answer.body }).toEqual({ path, status: 200, body: withAdded(body) });
  }
}

/** An answer of then with what answers have gained since. */
function withAdded(body: object): object {
  if ('settings' in body) return { settings: { ...(body.settings as object), ...ADDED_TO_SETTINGS } };
  if (!('findings' in body)) return { ...body, ...ADDED_TO_FINDINGS };
  return { ...body, findings: (body.findings as object[]).map((finding) => ({ ...finding, ...ADDED_TO_FINDINGS })) };
}

async function findingOf(id: string): Promise<Finding> {
  const { status, body } = await service.call<Finding>({ path: `/findings/${id}` });
  expect(status).toBe(200);
  return body;
}

/** The Finding that two conversations show. */
async function shownTwice(): Promise<Finding> {
  const { findings } = (await service.call<{ findings: Finding[] }>({ path: '/findings' })).body;
  const [finding, ...others] = findings.filter(({ occurrenceCount }) => occurrenceCount === 2);
  if (finding === undefined || others.length > 0) throw new Error('One Finding was shown by two conversations');
  return finding;
}

/** What a worker of that version found in the conversation that shows that Finding first. */
function resultOnFailing(): Result {
  const result = then.results.find(({ data }) => data.conversationId === 'order-17');
  if (result === undefined) throw new Error('The conversation was analysed');
  return result;
}

/** A result of today on a conversation with what was found there, or with something else. */
function showing(conversationId: string, snapshot: ResultParts['snapshot'], found?: []) {
  const detections = resultOnFailing().data.runs.flatMap(({ outcome }) =>
    outcome.status === 'succeeded' ? outcome.detections : [],
  );
  const ruleId = detections[0]?.ruleId ?? '';
  return resultOf({ conversationId, ...(snapshot && { snapshot }), found: { [ruleId]: found ?? detections } });
}

/** By snapshot, as they were noted of the older version. */
async function runsNow(): Promise<Record<string, string[]>> {
  const runs: Record<string, string[]> = {};
  for (const { snapshotId, ruleId, state, reason } of await runsOf(service.database, then.project)) {
    (runs[snapshotId] ??= []).push(`${ruleId} ${state}: ${String(reason)}`);
  }
  return runs;
}

/** The runs of then are as they were, whatever was added. */
async function expectRunsThen(): Promise<void> {
  const now = await runsNow();
  for (const [snapshotId, runs] of Object.entries(then.runs)) {
    expect(now[snapshotId]).toEqual(expect.arrayContaining(runs));
  }
}

function ofConversation(id: string) {
  return ({ conversationId }: { conversationId: string }) => conversationId === id;
}

function rulesSince(): Set<string> {
  const known = new Set(Object.values(then.runs).flatMap((runs) => runs.map((run) => run.split(' ')[0])));
  return new Set(BUILT_IN_RULES.map(({ ruleId }) => ruleId).filter((ruleId) => !known.has(ruleId)));
}

function snapshotIdsOf({ data }: Ready): string[] {
  return data.conversations.map(({ snapshotId }) => snapshotId);
}

/** What waits to be published of a kind: all of it since the restore, but for what that version had not published. */
async function pending<Message>(routingKey: string): Promise<Message[]> {
  const rows = await outboxCollection(service.database)
    .find({ routingKey, state: 'pending' }, { sort: { seq: 1 } })
    .toArray();
  return rows.map(({ body }) => readJson(body) as Message);
}

async function commandsNow() {
  const commands = await pending<EnvelopeOf<typeof analysisRequested>>('diagnostics.analysis.requested.v2');
  return commands.filter(({ projectId }) => projectId === then.project);
}

async function countsNow() {
  const key = 'diagnostics.conversation-findings.changed.v2';
  const events = await pending<EnvelopeOf<typeof conversationFindingsChanged>>(key);
  return events.flatMap(({ data }) => data.conversations);
}

function takeReady(messages: readonly Ready[]): Promise<void> {
  const [first] = messages;
  if (first === undefined) throw new Error('There is no message');
  return takeAll(QUEUES.conversationReady, async (last) => {
    const behind = { ...first, id: newId('evt'), projectId: last };
    for (const message of [...messages, behind]) await service.publisher.publish(conversationReady, message);
  });
}

function takeResults(results: readonly Result[]): Promise<void> {
  return takeAll(QUEUES.analysisResultsV1, async (last) => {
    const behind = resultOfV1({ projectId: last, found: { rule_a: 'skipped' } });
    for (const result of [...results, behind]) await service.publisher.publish(analysisCompletedV1, result);
  });
}

/** Lets messages be published, with one for the named project behind them, and waits until all of them are taken. */
async function takeAll(queue: QueueSpec, publish: (last: string) => Promise<void>): Promise<void> {
  const parts = service.start();
  const last = newId('prj');
  await publish(last);
  await eventually(async () => expect((await runsOf(service.database, last)).length).toBeGreaterThan(0));
  await Promise.all(parts.map((part) => part.stop()));
  await eventually(async () =>
    expect(await queueDepth(service.broker, queue)).toEqual({ messages: 0, consumers: 0, deadLetters: 0 }),
  );
}
