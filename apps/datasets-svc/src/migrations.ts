import {
  ensureScheduleIndexes,
  ensureIdempotency,
  ensureInbox,
  ensureIndexes,
  ensureOutbox,
  ensureTurnIndex,
  ensureTurnIndexes,
  type Migration,
} from '@clew/persistence';
import { decisionCollection, decisionModel } from './collection/index.ts';
import { datasetCollection, datasetModel } from './datasets/index.ts';
import { exampleModel, revisionModel } from './examples/index.ts';
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
      await ensureIndexes(decisionModel(connection));
      await ensureScheduleIndexes(decisionCollection({ connection }));
      await ensureTurnIndexes(decisionCollection({ connection }));
      await datasetCollection({ connection }).updateMany(
        { collectedRedaction: { $exists: false } },
        { $set: { collectedRedaction: 'on' } },
      );
    },
  },
];
