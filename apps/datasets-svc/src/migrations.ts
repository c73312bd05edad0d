import {
  ensureScheduleIndexes,
  ensureIdempotency,
  ensureInbox,
  ensureIndexes,
  ensureOutbox,
  ensureTurnIndex,
  ensureTurnIndexes,
  type Migration,
  nativeDb,
} from '@clew/persistence';
import { DEFAULT_CATCH_UP, DEFAULT_DAILY_SYNTHESES } from '@clew/contracts';
import {
  catchUpCollection,
  catchUpModel,
  decisionCollection,
  decisionModel,
  reviewModel,
  synthesisBudgetModel,
  synthesisCollection,
  synthesisModel,
} from './collection/index.ts';
import { datasetCollection, datasetModel } from './datasets/index.ts';
import { addSoughtFields, exampleModel, revisionModel } from './examples/index.ts';
import { versionModel } from './versions/index.ts';

export const migrations: readonly Migration[] = [
  {
    id: '0001-baseline',
    async up(connection) {
      await ensureOutbox(connection);
      await ensureIdempotency(connection);
      const models = [datasetModel, exampleModel, revisionModel, versionModel];
      await ensureIndexes(...models.map((model) => model(connection)));
      await ensureScheduleIndexes(datasetCollection({ connection }));
      await ensureTurnIndex(datasetCollection({ connection }));
    },
  },
  {
    id: '0002-collection',
    async up(connection) {
      await ensureInbox(connection);
      const models = [decisionModel, synthesisModel, synthesisBudgetModel, catchUpModel, reviewModel];
      await ensureIndexes(...models.map((model) => model(connection)));
      await ensureScheduleIndexes(catchUpCollection({ connection }));
      await ensureTurnIndex(catchUpCollection({ connection }));
      for (const rows of [decisionCollection({ connection }), synthesisCollection({ connection })]) {
        await ensureScheduleIndexes(rows as never);
        await ensureTurnIndexes(rows as never);
      }
      await datasetCollection({ connection }).updateMany(
        { collectedRedaction: { $exists: false } },
        {
          $set: {
            collectedRedaction: 'on',
            collectionCatchUp: DEFAULT_CATCH_UP,
            dailySyntheses: DEFAULT_DAILY_SYNTHESES,
          },
        },
      );
    },
  },
  {
    id: '0003-facets',
    async up(connection) {
      await addSoughtFields(connection);
      await ensureIndexes(exampleModel(connection));
    },
  },
  {
    id: '0004-reviewed-findings',
    async up(connection) {
      await ensureIndexes(reviewModel(connection));
      await nativeDb(connection).dropCollection('dismissed_findings');
    },
  },
];
