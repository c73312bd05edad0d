import {
  ensureScheduleIndexes,
  ensureIdempotency,
  ensureIndexes,
  ensureOutbox,
  ensureTurnIndex,
  type Migration,
} from '@clew/persistence';
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
];
