import type { Database } from '@clew/persistence';
import type { JudgedScore } from '@clew/rules';
import { conversationCollection } from '../results/conversation.model.ts';
import { conversationKey } from '../results/result-state.ts';
import { FAILED_FROM, reviewCollection } from '../reviewer/index.ts';
import { calibrationCollection, type CalibrationDocument } from './calibration.model.ts';

/** Number of conversations, the latest, to which a calibration is fitted. */
const MAX_JUDGED = 1_000;

/** Calibrations, and the outcomes that they are fitted to. */
export interface CalibrationStore {
  get(projectId: string): Promise<CalibrationDocument | undefined>;
  put(calibration: CalibrationDocument): Promise<void>;
  /** Conversations that were drawn at random and read by a model, with the score of the Rules for the same snapshot. */
  judgedByReviews(projectId: string): Promise<JudgedScore[]>;
  /** Conversations with scores of people or evaluators. */
  judgedByScores(projectId: string): Promise<JudgedScore[]>;
}

export function createCalibrationStore(database: Database): CalibrationStore {
  const calibrations = calibrationCollection(database.connection);
  const reviews = reviewCollection(database.connection);
  const conversations = conversationCollection(database);
  return {
    async get(projectId) {
      return (await calibrations.findOne({ _id: projectId })) ?? undefined;
    },
    async put(calibration) {
      await calibrations.replaceOne({ _id: calibration._id }, calibration, { upsert: true });
    },
    async judgedByReviews(projectId) {
      const read = await reviews
        .find(
          { projectId, inclusion: { $gt: 0 }, startedAt: { $gt: 0 } },
          { projection: { conversationId: 1, inclusion: 1, 'result.snapshotId': 1, 'result.failureProbability': 1 } },
        )
        .sort({ startedAt: -1 })
        .limit(MAX_JUDGED)
        .toArray();
      const _id = { $in: read.map(({ conversationId }) => conversationKey(projectId, conversationId)) };
      const analysed = await conversations
        .find({ _id }, { projection: { 'diagnosis.snapshotId': 1, 'diagnosis.score': 1 } })
        .toArray();
      const scores = new Map(
        analysed.flatMap(({ diagnosis }) => (diagnosis ? [[diagnosis.snapshotId, diagnosis.score]] : [])),
      );
      return read.flatMap(({ result, inclusion = 1 }) => {
        const score = result === undefined ? undefined : scores.get(result.snapshotId);
        if (result === undefined || score === undefined) return [];
        return [{ score, failed: result.failureProbability >= FAILED_FROM, weight: 1 / inclusion }];
      });
    },
    async judgedByScores(projectId) {
      const scored = await conversations
        .find({ projectId, 'diagnosis.judged.startedAt': { $gt: 0 } }, { projection: { 'diagnosis.judged': 1 } })
        .sort({ 'diagnosis.judged.startedAt': -1 })
        .limit(MAX_JUDGED)
        .toArray();
      return scored.flatMap(({ diagnosis }) => {
        const judged = diagnosis?.judged;
        return judged === undefined ? [] : [{ score: judged.score, failed: judged.failed, weight: 1 }];
      });
    },
  };
}
