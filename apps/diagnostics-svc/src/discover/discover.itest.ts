import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ConversationSnapshot, Discovery, Finding } from '@clew/contracts';
import { derivedId, newId } from '@clew/kernel';
import { BUILT_IN_RULES, NEGATIVE_SCORE } from '@clew/rules';
import { useCleanup, useTestEnvironment } from '@clew/testing';
import { occurrenceModel } from '../findings/finding.model.ts';
import { analysedSnapshots, analysesOf, runsOf } from '../test-support/analyses.ts';
import { resultOf } from '../test-support/results.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../test-support/service.ts';
import { CLEAN, CORRECTED, snapshotOfTexts, type SpokenConversation } from '../test-support/warehouse.ts';

const RULE_COUNT = BUILT_IN_RULES.length;
const CORRECTION = BUILT_IN_RULES.find(({ ruleKey }) => ruleKey === 'user_correction')!;

const environment = useTestEnvironment();
const cleanup = useCleanup();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

function spoken(
  texts: readonly string[],
  { state = 'ready', of = service, ...about }: Partial<SpokenConversation> & { of?: TestService } = {},
  overrides: Partial<ConversationSnapshot> = {},
): ConversationSnapshot {
  const snapshot = snapshotOfTexts(overrides.projectId ?? newId('prj'), texts, overrides);
  of.warehouse.spoken.push({ snapshot, state, ...about });
  return snapshot;
}

function discover(projectId: string, body: unknown = undefined, of: TestService = service) {
  return of.call<Discovery & { code?: string }>({ method: 'POST', projectId, path: '/findings/discover', body });
}

async function other(options: TestServiceOptions): Promise<TestService> {
  const started = await startTestService(environment, options);
  cleanup(() => started.stop());
  return started;
}

describe('discover', () => {
  it('analyses the conversation that is named, and answers with its Findings', async () => {
    const { projectId, conversationId, snapshotId } = spoken(CORRECTED);
    const { status, body } = await discover(projectId, { conversationId });
    expect({ status, conversationId: body.conversationId, outcome: body.outcome }).toEqual({
      ...{ status: 200, conversationId, outcome: 'findings_found' },
    });
    const [finding] = body.findings;
    expect(finding).toMatchObject({
      ...{ projectId, conversationId, occurrenceCount: 1, evidenceSnapshotRevision: snapshotId },
      metadata: { diagnosticRule: { ruleId: CORRECTION.ruleId } },
    });
    const { body: read } = await service.call<Finding>({ projectId, path: `/findings/${finding!.id}` });
    expect({ ...read, adjudicationWaiting: undefined }).toEqual(finding);
  });

  it('takes the conversation that began last where none is named, with an empty body or without one', async () => {
    const { projectId } = spoken(CORRECTED, {}, { conversationId: 'earlier', startedAt: 1_700_000_000_000 });
    spoken(CLEAN, {}, { projectId, conversationId: 'later', startedAt: 1_700_000_001_000 });
    const expected = { conversationId: 'later', outcome: 'no_findings', findings: [] };
    expect(await discover(projectId)).toMatchObject({ status: 200, body: expected });
    expect(await discover(projectId, {})).toMatchObject({ status: 200, body: expected });
  });

  it('records its runs as those of workers are, and tells that the snapshot was analysed', async () => {
    const { projectId, conversationId, snapshotId } = spoken(CORRECTED);
    const { body } = await discover(projectId, { conversationId });
    const runs = await runsOf(service.database, projectId);
    expect(runs.map(({ state }) => state)).toEqual(Array(RULE_COUNT).fill('succeeded'));
    expect(await analysedSnapshots(service.database, projectId)).toEqual([
      {
        ...{ conversationId, snapshotId, analysed: true, unknownRules: 0, severity: body.findings[0]!.severity },
        ...{ score: body.findings[0]!.diagnosticScore, findingIds: body.findings.map(({ id }) => id) },
        openProblems: body.findings.map(({ id, severity, reviewStatus }) => ({
          findingId: id,
          severity,
          reviewStatus,
        })),
      },
    ]);
  });

  it('keeps what the conversation comes to, as for a conversation that a worker has analysed', async () => {
    const { projectId, conversationId, snapshotId } = spoken(CORRECTED);
    expect((await service.call({ projectId, path: `/conversations/${conversationId}` })).status).toBe(404);
    const { body } = await discover(projectId, { conversationId });
    expect(
      await service.call({ projectId, path: `/conversations/${encodeURIComponent(conversationId)}` }),
    ).toMatchObject({
      status: 200,
      body: {
        conversationId,
        snapshotId,
        score: expect.any(Number),
        findings: body.findings.map(({ id }) => ({ id })),
      },
    });
  });

  it('goes by the scores that the project names, as the snapshot tells them', async () => {
    const scores = [{ id: 's', name: 'csat', value: 3, source: 'user' as const, createdAt: 1 }];
    const discovered = async (overrides: Partial<ConversationSnapshot>) => {
      const { projectId, conversationId } = spoken(CLEAN, {}, { scores, ...overrides });
      return (await discover(projectId, { conversationId })).body.findings.map(({ metadata }) => metadata);
    };
    expect(await discovered({})).toEqual([]);
    expect(await discovered({ successScores: [{ name: 'csat', atLeast: 3 }] })).toEqual([]);
    const rule = BUILT_IN_RULES.find(({ ruleKey }) => ruleKey === NEGATIVE_SCORE)!;
    expect(await discovered({ successScores: [{ name: 'csat', atLeast: 4 }] })).toMatchObject([
      { diagnosticRule: { ruleId: rule.ruleId } },
    ]);
  });

  it('changes nothing when it is asked again, also by many at once', async () => {
    const { projectId, conversationId } = spoken(CORRECTED);
    const answers = await Promise.all([1, 2, 3].map(() => discover(projectId, { conversationId })));
    const again = await discover(projectId, { conversationId });
    for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 200, body: again.body });
    expect(await occurrenceModel(service.database.connection).countDocuments({ projectId })).toBe(
      again.body.findings.length,
    );
    expect(await analysedSnapshots(service.database, projectId)).toHaveLength(1);
  });

  it('leaves alone what a worker says of the same snapshot afterwards', async () => {
    const { projectId, conversationId, ...snapshot } = spoken(CORRECTED);
    const { body } = await discover(projectId, { conversationId });
    const { snapshotId, revision, scope, startedAt, throughMs } = snapshot;
    const found = Object.fromEntries(BUILT_IN_RULES.map(({ ruleId }) => [ruleId, []]));
    await service.take(
      resultOf({ projectId, conversationId, snapshot: { snapshotId, revision, scope, startedAt, throughMs }, found }),
    );
    expect((await discover(projectId, { conversationId })).body).toEqual(body);
  });

  it('runs the Rules that are on, each as the project has configured it', async () => {
    const { projectId, conversationId } = spoken(CORRECTED);
    const path = `/rules/${CORRECTION.ruleId}`;
    await service.call({ method: 'PATCH', projectId, path, body: { enabled: false } });
    expect((await discover(projectId, { conversationId })).body.outcome).toBe('no_findings');
    expect(await runsOf(service.database, projectId)).toHaveLength(RULE_COUNT - 1);
    await service.call({ method: 'PATCH', projectId, path, body: { enabled: true } });
    expect((await discover(projectId, { conversationId })).body.outcome).toBe('findings_found');
    const strict = { configuration: { minSignalScore: 1 } };
    await service.call({ method: 'PATCH', projectId, path, body: strict });
    expect((await discover(projectId, { conversationId })).body.outcome).toBe('no_findings');
    const lax = { configuration: { minSignalScore: 0.1 } };
    await service.call({ method: 'PATCH', projectId, path, body: lax });
    expect((await discover(projectId, { conversationId })).body.outcome).toBe('findings_found');
  });

  it('runs also where automatic scheduling is off', async () => {
    const { projectId, conversationId } = spoken(CORRECTED);
    const body = { automaticSchedulingEnabled: false };
    await service.call({ method: 'PATCH', projectId, path: '/settings', body });
    expect((await discover(projectId, { conversationId })).body.outcome).toBe('findings_found');
  });

  it('says nothing new of a conversation whose words have expired', async () => {
    const { projectId, conversationId } = spoken(CORRECTED, { isSilent: true });
    expect((await discover(projectId, { conversationId })).body.outcome).toBe('no_findings');
    expect(await analysesOf(service.database, projectId)).toEqual([]);
  });

  it('is 404 DISCOVERY_CONVERSATION_NOT_FOUND where there is no such conversation, or none at all', async () => {
    const missing = { status: 404, body: { code: 'DISCOVERY_CONVERSATION_NOT_FOUND' } };
    const { projectId, conversationId } = spoken(CLEAN);
    expect(await discover(newId('prj'))).toMatchObject(missing);
    expect(await discover(newId('prj'), { conversationId })).toMatchObject(missing);
    for (const name of ['nobody', '.', '..', 'a/b', '\ud800']) {
      expect(await discover(projectId, { conversationId: name })).toMatchObject(missing);
    }
  });

  it.each(['new', 'active'] as const)('is 409 DISCOVERY_CONVERSATION_NOT_READY for one that is %s', async (state) => {
    const { projectId, conversationId } = spoken(CORRECTED, { state });
    const early = { status: 409, body: { code: 'DISCOVERY_CONVERSATION_NOT_READY' } };
    expect(await discover(projectId, { conversationId })).toMatchObject(early);
    expect(await discover(projectId)).toMatchObject(early);
    expect(await analysesOf(service.database, projectId)).toEqual([]);
  });

  it.each([
    ['an unknown field', { conversation: 'a chat' }, 'body'],
    ['a number for a name', { conversationId: 5 }, 'body.conversationId'],
    ['an empty name', { conversationId: '' }, 'body.conversationId'],
    ['null for a body', null, 'body'],
    ['a list', [], 'body'],
  ])('with %s is 400', async (_name, body, path) => {
    const { projectId } = spoken(CLEAN);
    expect(await discover(projectId, body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', details: expect.arrayContaining([{ path, message: expect.any(String) }]) },
    });
  });

  it('is 503 while the warehouse is away', async () => {
    const { projectId } = spoken(CLEAN);
    service.warehouse.fail();
    cleanup(async () => service.warehouse.fail(false));
    expect(await discover(projectId)).toMatchObject({ status: 503, body: { code: 'UPSTREAM_UNAVAILABLE' } });
    service.warehouse.fail(false);
  });

  it('queues for the workers what its deadline cuts off, and says when to ask again', async () => {
    const hurried = await other({ discoverDeadlineMs: 1 });
    const { projectId, conversationId } = spoken(CORRECTED, { of: hurried });
    const answer = await discover(projectId, { conversationId }, hurried);
    expect(answer).toMatchObject({ status: 503, body: { code: 'OVERLOADED' } });
    expect(answer.headers.get('retry-after')).toBe('5');
    const runs = await runsOf(hurried.database, projectId);
    expect(runs.map(({ state }) => state)).toEqual(Array(RULE_COUNT).fill('queued'));
  });

  it('is 503 DIAGNOSTIC_RULES_UNAVAILABLE where the rule service is not mounted', async () => {
    const without = await other({ mountRules: false });
    expect(await discover(newId('prj'), undefined, without)).toMatchObject({
      status: 503,
      body: { code: 'DIAGNOSTIC_RULES_UNAVAILABLE' },
    });
  });
});

describe('an Analysis Run after discover', () => {
  it('of the same snapshot has no runs to create', async () => {
    const conversationId = 'a chat';
    const said = [{ atMs: 1, traceId: '1'.repeat(32) }];
    // Same id as in the loopback warehouse.
    const snapshotId = derivedId('cesr', conversationId, JSON.stringify(said));
    const { projectId } = spoken(CORRECTED, {}, { conversationId, snapshotId });
    service.warehouse.conversations.set(`${projectId}:${conversationId}`, said);
    await discover(projectId, { conversationId });
    const body = { conversationId, lastActivityAt: 1 };
    const answer = await service.call({ method: 'POST', projectId, path: '/analysis-runs', body });
    expect(answer.body).toEqual({ enabledRules: RULE_COUNT, runsCreated: 0 });
  });
});
