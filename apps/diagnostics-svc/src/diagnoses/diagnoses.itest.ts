import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ConversationDiagnosis, Detection, DiagnosedConversation, Diagnosis } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { propertyRuns, useTestEnvironment } from '@clew/testing';
import { findingIdOf } from '../findings/occurrence.ts';
import { detectionOf, resultOf, snapshotOf, type ResultParts } from '../test-support/results.ts';
import { startTestService, type TestService } from '../test-support/service.ts';

const CONVERSATION = 'conversation-1';
const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

function diagnosisOf(score: number): Diagnosis {
  const quotes = [{ quote: `what was said at ${score}` }];
  return { score, suspects: [{ stepIndex: 1, agent: 'planner', score: 0.4, because: 'It made up a value.', quotes }] };
}

async function take(projectId: string, ...results: Omit<ResultParts, 'projectId'>[]): Promise<void> {
  await service.take(...results.map((parts) => resultOf({ ...parts, projectId })));
}

function read(projectId: string, conversationId = CONVERSATION) {
  const path = `/conversations/${encodeURIComponent(conversationId)}`;
  return service.call<ConversationDiagnosis & { code: string }>({ projectId, path });
}

async function scoreOf(projectId: string): Promise<number | null> {
  return (await read(projectId)).body.score;
}

/** Detection whose anchor is the root cause of its symptom. */
function followedBack(title: string, overrides: Partial<Detection> = {}): Detection {
  const detection = detectionOf(title, overrides);
  return { ...detection, anchor: { ...detection.anchor, stepIndex: 0, quotes: [{ quote: 'the cause' }] } };
}

describe('the diagnosis of a conversation', () => {
  it('tells its score and suspects, what it shows, the gravest first, and the Findings that this belongs to', async () => {
    const projectId = newId('prj');
    const [minor, grave] = [detectionOf('minor', { severity: 'low' }), followedBack('grave', { severity: 'critical' })];
    await take(projectId, { found: { rule_a: [minor, grave] }, diagnosis: diagnosisOf(0.75) });
    const { status, body } = await read(projectId);
    expect(status).toBe(200);
    const findingIds = [grave, minor].map(({ clusterFingerprint }) => findingIdOf(projectId, clusterFingerprint));
    expect(body).toEqual({
      conversationId: CONVERSATION,
      snapshotId: snapshotOf(projectId, CONVERSATION).snapshotId,
      ...diagnosisOf(0.75),
      scoreSource: { kind: 'rules', recalibrated: false },
      symptoms: [grave, minor].map(({ title, severity, evidence }, index) => ({
        ...{ ruleKey: 'a', findingId: findingIds[index], title, severity, score: 0.8, signals: ['signal'] },
        location: evidence[0]?.location,
      })),
      findings: [grave, minor].map(({ title, severity }, index) => ({
        ...{ id: findingIds[index], title, severity, diagnosticScore: 0.8 },
        ...{ reviewStatus: 'unreviewed', resolutionStatus: 'unresolved' },
      })),
    });
  });

  it('is there where no Rule found anything', async () => {
    const projectId = newId('prj');
    await take(projectId, { found: { rule_a: [] }, diagnosis: diagnosisOf(0.1) });
    expect((await read(projectId)).body).toMatchObject({ score: 0.1, symptoms: [], findings: [] });
  });

  it('answers 404 where nothing is known, as for another project', async () => {
    const projectId = newId('prj');
    await take(projectId, { found: { rule_a: [] }, diagnosis: diagnosisOf(0.1) });
    for (const [project, conversation] of [
      [projectId, 'unheard-of'],
      [newId('prj'), CONVERSATION],
    ] as const) {
      const { status, body } = await read(project, conversation);
      expect([status, body.code]).toEqual([404, 'CONVERSATION_NOT_FOUND']);
    }
  });

  it('has no score where a worker told of none, and shows what was found all the same', async () => {
    const projectId = newId('prj');
    await take(projectId, { found: { rule_a: ['loop'] } });
    const { body } = await read(projectId);
    expect(body).toMatchObject({ snapshotId: null, score: null, suspects: [], findings: [{ title: 'loop' }] });
  });
});

describe('what conversations show, for collection', () => {
  const readMany = async (projectId: string, conversationIds: string[]) => {
    const path = `//internal/v1/projects/${projectId}/diagnosed-conversations/read`;
    const { status, body } = await service.call<{ conversations: DiagnosedConversation[] }>({
      ...{ method: 'POST', projectId, path, body: { conversationIds } },
      principal: { kind: 'service', id: 'jobs-worker' },
    });
    expect(status).toBe(200);
    return body.conversations.toSorted((one, other) => (one.conversationId < other.conversationId ? -1 : 1));
  };

  it('is told of many at once: score, problems, the gravest first, where they began, and what people say of them', async () => {
    const projectId = newId('prj');
    const [minor, grave] = [detectionOf('minor', { severity: 'low' }), followedBack('grave', { severity: 'critical' })];
    await take(projectId, { found: { rule_a: [minor, grave] }, diagnosis: diagnosisOf(0.75) });
    await take(projectId, { conversationId: 'good', found: { rule_a: [] }, diagnosis: diagnosisOf(0.1) });
    const [bad, good, ...others] = await readMany(projectId, [CONVERSATION, 'good', 'unheard-of']);
    expect(others).toEqual([]);
    expect(good).toMatchObject({ conversationId: 'good', score: 0.1, problems: [] });
    expect(bad).toMatchObject({ snapshotId: snapshotOf(projectId, CONVERSATION).snapshotId, score: 0.75 });
    expect(bad!.problems).toMatchObject([
      { title: 'grave', severity: 'critical', anchor: { stepIndex: 0 }, reviewStatus: 'unreviewed' },
      { title: 'minor', severity: 'low', resolutionStatus: 'unresolved' },
    ]);
  });

  it('is told of no other project', async () => {
    const projectId = newId('prj');
    await take(projectId, { found: { rule_a: ['loop'] }, diagnosis: diagnosisOf(0.5) });
    expect(await readMany(newId('prj'), [CONVERSATION])).toEqual([]);
  });
});

describe('of several diagnoses of a conversation', () => {
  it('that of the latest whole snapshot holds, in whatever order and batches they come', async () => {
    const revisions = fc.shuffledSubarray([1, 2, 3, 4], { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(revisions, fc.boolean(), async (order, together) => {
        const projectId = newId('prj');
        const results = order.map((revision) => {
          return { snapshot: { revision }, found: { rule_a: [] }, diagnosis: diagnosisOf(revision / 10) };
        });
        if (together) await take(projectId, ...results);
        else for (const result of results) await take(projectId, result);
        expect(await scoreOf(projectId)).toBe(Math.max(...order) / 10);
      }),
      propertyRuns(6),
    );
  });

  it('a part of the conversation has none', async () => {
    const projectId = newId('prj');
    await take(projectId, { found: { rule_a: [] }, diagnosis: diagnosisOf(0.3) });
    const part = { revision: 2, scope: 'prefix' } as const;
    await take(projectId, { snapshot: part, found: { rule_a: [] }, diagnosis: diagnosisOf(0.9) });
    expect(await scoreOf(projectId)).toBe(0.3);
  });

  it('on the same snapshot, that which more Rules were evaluated for holds', async () => {
    const projectId = newId('prj');
    const few = { found: { rule_a: [] }, diagnosis: diagnosisOf(0.2) };
    await take(projectId, few);
    await take(projectId, { found: { rule_a: [], rule_b: [] }, diagnosis: diagnosisOf(0.6) });
    expect(await scoreOf(projectId)).toBe(0.6);
    await take(projectId, { found: { rule_c: [] }, diagnosis: diagnosisOf(0.2) });
    expect(await scoreOf(projectId)).toBe(0.6);
  });
});
