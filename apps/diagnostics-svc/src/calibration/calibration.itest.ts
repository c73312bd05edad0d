import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ConversationDiagnosis, ScoreCalibration } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { explainSent, monitored, useTestEnvironment } from '@clew/testing';
import { reviewCollection } from '../reviewer/index.ts';
import type { ReviewDocument } from '../reviewer/reviews.model.ts';
import { resultOf, snapshotOf, STARTED_AT } from '../test-support/results.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { createCalibrationStore } from './calibrations.store.ts';
import { MAX_AGE_MS } from './calibrations.service.ts';

const environment = useTestEnvironment();
let service: TestService;
let projectId: string;

beforeAll(async () => {
  service = await startTestService(environment, { mongoUrl: monitored(environment.mongoUrl) });
});

afterAll(() => service.stop());

beforeEach(() => {
  projectId = newId('prj');
});

interface Outcomes {
  count: number;
  /** Number of failed conversations: the first ones. */
  failed: number;
  /** Score that the Rules give. */
  score: number;
}

const idOf = (score: number, index: number) => `at ${score}, ${index}`;

/** Conversations that people scored. */
async function scored({ count, failed, score }: Outcomes): Promise<void> {
  const results = Array.from({ length: count }, (_, index) => {
    const judged = { failed: index < failed, score, startedAt: STARTED_AT };
    return resultOf({
      ...{ projectId, conversationId: idOf(score, index), found: { rule_a: [] } },
      diagnosis: { score, suspects: [], judged },
    });
  });
  await service.take(...results);
}

/** Conversations that a model has read. */
async function read({ count, failed, score }: Outcomes, inclusion: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => idOf(score, index));
  await service.take(
    ...ids.map((conversationId) =>
      resultOf({ projectId, conversationId, found: { rule_a: [] }, diagnosis: { score, suspects: [] } }),
    ),
  );
  const rows = ids.map((conversationId, index) => {
    const { snapshotId } = snapshotOf(projectId, conversationId);
    const result = { snapshotId, revision: 1, failureProbability: index < failed ? 0.9 : 0.1 };
    return {
      ...{
        _id: `${projectId}/${conversationId}`,
        projectId,
        conversationId,
        snapshotId,
        inclusion,
        state: 'done',
        chosenBy: 'random',
      },
      ...{ startedAt: STARTED_AT, reviewedAt: STARTED_AT, result },
    } as unknown as ReviewDocument;
  });
  await reviewCollection(service.database.connection).insertMany(rows);
}

const get = async <Body>(path: string) => (await service.call<Body>({ projectId, path })).body;
const calibration = () => get<ScoreCalibration>('/score-calibration');
const diagnosis = (id: string) => get<ConversationDiagnosis>(`/conversations/${encodeURIComponent(id)}`);

describe('the calibration of a project', () => {
  it('leaves scores as they are while few outcomes are known', async () => {
    await scored({ count: 20, failed: 8, score: 0.4 });
    expect(await calibration()).toMatchObject({
      ...{ source: null, intercept: 0, slope: 1, judged: 20, failed: 8, brierBefore: null, brierAfter: null },
    });
    expect(await diagnosis(idOf(0.4, 0))).toMatchObject({
      ...{ score: 0.4, scoreSource: { kind: 'rules', recalibrated: false } },
    });
  });

  it('follows the scores that people gave, and keeps the order of conversations', async () => {
    await scored({ count: 100, failed: 5, score: 0.4 });
    await scored({ count: 100, failed: 30, score: 0.7 });
    const fitted = await calibration();
    expect(fitted).toMatchObject({ source: 'scores', judged: 200, failed: 35 });
    expect(fitted.brierAfter).toBeLessThan(0.7 * fitted.brierBefore!);
    const [lower, higher] = [await diagnosis(idOf(0.4, 50)), await diagnosis(idOf(0.7, 50))];
    expect(lower.scoreSource).toEqual({ kind: 'rules', recalibrated: true });
    expect(Math.abs(lower.score! - 0.05)).toBeLessThan(0.05);
    expect(Math.abs(higher.score! - 0.3)).toBeLessThan(0.06);
  });

  it('follows reviews of conversations that were drawn at random rather than scores, each for those that it stands for', async () => {
    await scored({ count: 40, failed: 40, score: 0.5 });
    await read({ count: 60, failed: 30, score: 0.3 }, 0.1);
    await read({ count: 60, failed: 30, score: 0.6 }, 1);
    expect(await calibration()).toMatchObject({ source: 'reviews', judged: 120, failed: 60 });
    expect(Math.abs((await diagnosis(idOf(0.3, 50))).score! - 0.5)).toBeLessThan(0.1);
  });

  it('takes new outcomes into account after ten minutes', async () => {
    await scored({ count: 20, failed: 8, score: 0.4 });
    expect((await calibration()).source).toBeNull();
    await scored({ count: 60, failed: 30, score: 0.6 });
    expect((await calibration()).source).toBeNull();
    service.clock.advance(MAX_AGE_MS);
    expect(await calibration()).toMatchObject({ source: 'scores', judged: 80 });
  });

  it('reads outcomes by indexes alone, and of one project', async () => {
    await scored({ count: 40, failed: 10, score: 0.4 });
    await read({ count: 40, failed: 10, score: 0.6 }, 1);
    const store = createCalibrationStore(service.database);
    const [ofReviews, , ofScores] = await explainSent(service.database, async () => {
      await store.judgedByReviews(projectId);
      await store.judgedByScores(projectId);
    });
    expect([ofReviews!.stats.totalDocsExamined, ofScores!.stats.totalDocsExamined]).toEqual([40, 40]);
  });
});
