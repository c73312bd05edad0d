import type { Clock } from '@clew/kernel';
import { brierScore, calibrated, fitCalibration, type JudgedScore } from '@clew/rules';
import type { CalibrationDocument } from './calibration.model.ts';
import type { CalibrationStore } from './calibrations.store.ts';

/** Age in milliseconds from which a calibration is fitted anew when it is read. */
export const MAX_AGE_MS = 10 * 60_000;

/** Brings scores of the Rules in line with the outcomes that a project knows. */
export interface ScoreCalibrations {
  /** Reads the calibration of a project, and fits it if it is missing or old. */
  of(projectId: string): Promise<CalibrationDocument>;
}

export function createScoreCalibrations(deps: { store: CalibrationStore; clock: Clock }): ScoreCalibrations {
  const { store, clock } = deps;

  async function fit(projectId: string): Promise<CalibrationDocument> {
    const byReviews = fittedTo(await store.judgedByReviews(projectId), 'reviews');
    // Scores of people are given where something stands out; reviews at random say more.
    const fitted = byReviews.line === null ? fittedTo(await store.judgedByScores(projectId), 'scores') : byReviews;
    const calibration = { _id: projectId, ...fitted, fittedAt: clock.now() };
    await store.put(calibration);
    return calibration;
  }

  return {
    async of(projectId) {
      const known = await store.get(projectId);
      return known !== undefined && clock.now() - known.fittedAt < MAX_AGE_MS ? known : await fit(projectId);
    },
  };
}

function fittedTo(
  judged: readonly JudgedScore[],
  source: 'reviews' | 'scores',
): Omit<CalibrationDocument, '_id' | 'fittedAt'> {
  const counts = { judged: judged.length, failed: judged.filter(({ failed }) => failed).length };
  const line = fitCalibration(judged);
  if (line === undefined) return { ...counts, source: null, line: null, brierBefore: null, brierAfter: null };
  const after = judged.map((each) => ({ ...each, score: calibrated(each.score, line) }));
  return { ...counts, source, line, brierBefore: rounded(brierScore(judged)), brierAfter: rounded(brierScore(after)) };
}

function rounded(value: number): number {
  return Math.round(10_000 * value) / 10_000;
}
