import {
  ensureDueIndexes,
  ensureTurnIndex,
  ensureTurnIndexes,
  ensureIndexes,
  ensureSettings,
  idempotencyMigration,
  inboxMigration,
  nativeDb,
  outboxMigration,
  publishedBodiesMigration,
  tombstonesMigration,
  type Migration,
} from '@clew/persistence';
import { analysisModel, foldRuns, heldCommandCollection } from './analyses/index.ts';
import { adjudicationCollection, adjudicationModel, budgetModel, verdictModel } from './adjudication/index.ts';
import { backfillCollection, backfillModel } from './backfills/index.ts';
import { expectationModel, expectationSetModel, promptModel } from './expectations/index.ts';
import { activityModel } from './findings/activity/index.ts';
import { describeByWorst } from './findings/describe-by-worst.ts';
import { dropFormerCountIndex, findingModel, occurrenceModel } from './findings/finding.model.ts';
import { findingTaskModel } from './findings/tasks/index.ts';
import { conversationModel } from './results/conversation.model.ts';
import { ruleModel } from './rules/index.ts';

export const migrations: readonly Migration[] = [
  {
    id: '0001-findings',
    async up(connection) {
      await ensureSettings(connection, 'settings');
      await ensureIndexes(findingModel(connection));
      await ensureIndexes(occurrenceModel(connection));
      await ensureIndexes(conversationModel(connection));
    },
  },
  outboxMigration('0002-outbox'),
  inboxMigration('0003-inbox'),
  {
    id: '0004-analyses',
    async up(connection) {
      await ensureIndexes(analysisModel(connection));
      await foldRuns(connection);
    },
  },
  {
    id: '0005-rules',
    async up(connection) {
      await ensureIndexes(ruleModel(connection));
    },
  },
  idempotencyMigration('0006-idempotency'),
  {
    id: '0007-expectations',
    async up(connection) {
      for (const model of [expectationModel(connection), promptModel(connection)]) {
        await ensureIndexes(model as never);
        await ensureDueIndexes(nativeDb(connection).collection(model.collection.name));
      }
      await ensureIndexes(expectationSetModel(connection));
    },
  },
  {
    id: '0008-rule-backfills',
    async up(connection) {
      await ensureIndexes(backfillModel(connection));
      await ensureDueIndexes(backfillCollection(connection));
    },
  },
  {
    id: '0009-adjudications',
    async up(connection) {
      await ensureIndexes(adjudicationModel(connection));
      await ensureDueIndexes(adjudicationCollection(connection));
      await ensureIndexes(verdictModel(connection));
      await ensureIndexes(budgetModel(connection));
    },
  },
  {
    id: '0010-finding-review',
    async up(connection) {
      await ensureIndexes(activityModel(connection));
      await ensureIndexes(occurrenceModel(connection));
      await describeByWorst(connection);
    },
  },
  {
    id: '0011-finding-clusters',
    async up(connection) {
      const { collection } = findingTaskModel(connection);
      await ensureIndexes(findingTaskModel(connection));
      await ensureDueIndexes(nativeDb(connection).collection(collection.name));
      await ensureIndexes(findingModel(connection));
      await ensureIndexes(occurrenceModel(connection));
      await dropFormerCountIndex(connection);
    },
  },
  {
    id: '0012-queued-analyses',
    async up(connection) {
      await ensureIndexes(analysisModel(connection));
    },
  },
  tombstonesMigration('0013-tombstones'),
  {
    id: '0014-analyses-of-conversations',
    async up(connection) {
      await ensureIndexes(analysisModel(connection));
    },
  },
  publishedBodiesMigration('0015-published-bodies'),
  {
    id: '0016-turns',
    async up(connection) {
      await ensureIndexes(adjudicationModel(connection));
      await ensureTurnIndexes(adjudicationCollection(connection));
    },
  },
  {
    id: '0017-turns-of-projects',
    async up(connection) {
      for (const model of [expectationModel, promptModel, findingTaskModel]) {
        await ensureTurnIndex(nativeDb(connection).collection(model(connection).collection.name));
      }
      await ensureTurnIndex(backfillCollection(connection));
      await ensureDueIndexes(heldCommandCollection(connection));
      await ensureTurnIndex(heldCommandCollection(connection));
    },
  },
];
