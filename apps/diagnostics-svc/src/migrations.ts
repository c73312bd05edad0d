import {
  addAgents,
  comparisonCollection,
  comparisonModel,
  moveUsage,
  problemClusterModel,
  reviewCollection,
  reviewDayModel,
  reviewModel,
} from './reviewer/index.ts';
import type { mongo } from 'mongoose';
import {
  ensureScheduleIndexes,
  ensureIdempotency,
  ensureInbox,
  ensureIndexes,
  ensureOutbox,
  ensureSettings,
  ensureTombstones,
  ensureTurnIndex,
  ensureTurnIndexes,
  nativeDb,
  type Migration,
  type ScheduleFields,
} from '@clew/persistence';
import { adjudicationCollection, adjudicationModel, budgetModel, verdictModel } from './adjudication/index.ts';
import { analysisCollection, analysisModel, heldCommandCollection } from './analyses/index.ts';
import { backfillCollection, backfillModel } from './backfills/index.ts';
import { calibrationModel } from './calibration/index.ts';
import { connectorModel, connectorSetModel } from './connectors/index.ts';
import { expectationModel, expectationSetModel, promptModel } from './expectations/index.ts';
import { activityModel } from './findings/activity/index.ts';
import { findingModel, occurrenceModel } from './findings/finding.model.ts';
import { addListings } from './findings/add-listings.ts';
import { countExistingOccurrences, seriesModel } from './findings/series/index.ts';
import { findingTaskModel } from './findings/tasks/index.ts';
import { exposureModel, issueNoteCollection, issueNoteModel } from './findings/verification/index.ts';
import { followedModel, walkCollection, walkModel } from './repair-sync/index.ts';
import { conversationModel } from './results/conversation.model.ts';
import { ruleModel } from './rules/index.ts';
import { workItemCollection, workItemModel } from './work-items/index.ts';
import {
  addRateWatches,
  deliveryModel,
  rateWatchCollection,
  rateWatchModel,
  webhookCollection,
  webhookCountModel,
  webhookModel,
} from './webhooks/index.ts';

const FINDINGS = [findingModel, occurrenceModel, conversationModel, activityModel, findingTaskModel];
const RULES = [ruleModel, analysisModel, backfillModel, expectationModel, expectationSetModel, promptModel];
const ADJUDICATION = [adjudicationModel, verdictModel, budgetModel];

export const migrations: readonly Migration[] = [
  {
    id: '0001-baseline',
    async up(connection) {
      await ensureOutbox(connection);
      await ensureInbox(connection);
      await ensureIdempotency(connection);
      await ensureTombstones(connection);
      await ensureSettings(connection, 'settings');
      await ensureIndexes(...[...FINDINGS, ...RULES, ...ADJUDICATION].map((model) => model(connection)));
      for (const model of [expectationModel, promptModel, findingTaskModel]) {
        const collection = nativeDb(connection).collection(model(connection).collection.name);
        await ensureScheduleIndexes(collection);
        await ensureTurnIndex(collection);
      }
      await ensureScheduleIndexes(backfillCollection(connection));
      await ensureTurnIndex(backfillCollection(connection));
      await ensureScheduleIndexes(heldCommandCollection(connection));
      await ensureTurnIndex(heldCommandCollection(connection));
      await ensureScheduleIndexes(adjudicationCollection(connection));
      await ensureTurnIndexes(adjudicationCollection(connection));
    },
  },
  {
    id: '0002-reviews',
    async up(connection) {
      await ensureIndexes(...[reviewModel, reviewDayModel, problemClusterModel].map((model) => model(connection)));
      await ensureScheduleIndexes(reviewCollection(connection));
      await ensureTurnIndexes(reviewCollection(connection));
    },
  },
  {
    id: '0003-score-calibrations',
    async up(connection) {
      await ensureIndexes(conversationModel(connection), calibrationModel(connection));
    },
  },
  {
    id: '0004-reviews-that-wait-and-are-erased',
    async up(connection) {
      await nativeDb(connection)
        .collection(reviewModel(connection).collection.name)
        .updateMany({ wantedFrom: { $exists: false } }, [
          { $set: { wantedFrom: '$createdAt' } },
          { $unset: 'createdAt' },
        ]);
      await ensureIndexes(reviewModel(connection), occurrenceModel(connection));
    },
  },
  {
    id: '0005-connectors',
    async up(connection) {
      await ensureIndexes(connectorModel(connection), connectorSetModel(connection));
    },
  },
  {
    id: '0006-work-items',
    async up(connection) {
      await ensureIndexes(workItemModel(connection));
      await ensureScheduleIndexes(workItemCollection(connection));
      await ensureTurnIndexes(workItemCollection(connection));
    },
  },
  {
    id: '0007-verification',
    async up(connection) {
      const models = [findingModel, exposureModel, issueNoteModel, walkModel, followedModel];
      await ensureIndexes(...models.map((model) => model(connection)));
      for (const collection of [issueNoteCollection(connection), walkCollection(connection)]) {
        await ensureScheduleIndexes<ScheduleFields>(collection as never);
        await ensureTurnIndexes<ScheduleFields>(collection as never);
      }
    },
  },
  {
    id: '0008-webhooks',
    async up(connection) {
      await ensureIndexes(...[webhookModel, webhookCountModel, deliveryModel].map((model) => model(connection)));
      await ensureScheduleIndexes(webhookCollection(connection));
      await ensureTurnIndex(webhookCollection(connection));
    },
  },
  {
    id: '0009-lists-for-people',
    async up(connection) {
      await addListings(connection);
      await ensureIndexes(findingModel(connection), seriesModel(connection));
      await ensureIndexes(backfillModel(connection), analysisModel(connection));
      // An index that begins with the same fields replaces it.
      await dropIndexes(analysisCollection(connection), ['projectId_1_conversationId_1']);
      await countExistingOccurrences(connection);
    },
  },
  {
    id: '0010-orders-of-findings',
    async up(connection) {
      await addListings(connection);
      await ensureIndexes(findingModel(connection));
      const findings = nativeDb(connection).collection(findingModel(connection).collection.name);
      // No released version names them.
      await dropIndexes(findings, ['by_last_detected', 'by_score', 'by_occurrences', 'by_first_detected']);
    },
  },
  {
    id: '0011-watches-over-failure-rates',
    async up(connection) {
      await ensureIndexes(rateWatchModel(connection));
      await ensureScheduleIndexes(rateWatchCollection(connection));
      await ensureTurnIndex(rateWatchCollection(connection));
      await addRateWatches(connection);
    },
  },
  {
    id: '0012-kinds-that-are-compared',
    async up(connection) {
      await moveUsage(connection);
      await addAgents(connection);
      await ensureIndexes(problemClusterModel(connection), comparisonModel(connection));
      await ensureScheduleIndexes(comparisonCollection(connection));
      await ensureTurnIndexes(comparisonCollection(connection));
    },
  },
];

/** Drops indexes that others replace; those that do not exist are left out. */
async function dropIndexes(collection: Pick<mongo.Collection, 'indexExists' | 'dropIndex'>, names: readonly string[]) {
  for (const name of names) {
    if (await collection.indexExists(name)) await collection.dropIndex(name);
  }
}
