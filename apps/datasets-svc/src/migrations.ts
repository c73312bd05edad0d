import type { Connection } from 'mongoose';
import {
  dropIndex,
  ensureDueIndexes,
  ensureIndexes,
  ensureTurnIndex,
  idempotencyMigration,
  outboxMigration,
  publishedBodiesMigration,
  type Migration,
} from '@clew/persistence';
import { datasetCollection, datasetModel } from './datasets/index.ts';
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
  {
    id: '0004-due-removals',
    async up(connection) {
      await ensureDueIndexes(datasetCollection({ connection }));
      await makeHiddenOnesDue(connection);
    },
  },
  publishedBodiesMigration('0005-published-bodies'),
  { id: '0006-turns', up: (connection) => ensureTurnIndex(datasetCollection({ connection })) },
];

/** Earlier versions wrote when a Dataset was hidden, and went by that. */
async function makeHiddenOnesDue(connection: Connection): Promise<void> {
  const datasets = datasetCollection({ connection });
  await datasets.updateMany({ deletingSince: { $exists: true } }, [
    { $set: { dueAt: { $toLong: '$deletingSince' } } },
    { $unset: 'deletingSince' },
  ]);
  await dropIndex(datasets, 'deletingSince_1');
}
