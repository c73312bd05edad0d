import { ensureIndexes, idempotencyMigration, outboxMigration, type Migration } from '@clew/persistence';
import { datasetModel } from './datasets/index.ts';
import { exampleModel, revisionModel } from './examples/index.ts';
import { versionModel } from './versions/index.ts';

export const migrations: readonly Migration[] = [
  {
    id: '0001-datasets',
    async up(connection) {
      await ensureIndexes(datasetModel(connection));
      await ensureIndexes(exampleModel(connection));
      await ensureIndexes(revisionModel(connection));
      await ensureIndexes(versionModel(connection));
    },
  },
  outboxMigration('0002-outbox'),
  idempotencyMigration('0003-idempotency'),
];
