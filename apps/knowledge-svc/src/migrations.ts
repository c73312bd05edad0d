import {
  ensureDueIndexes,
  ensureIndexes,
  ensureSettings,
  ensureTurnIndex,
  ensureTurnIndexes,
  idempotencyMigration,
  inboxMigration,
  outboxMigration,
  publishedBodiesMigration,
  type Migration,
} from '@clew/persistence';
import { backfillModel } from './backfills/index.ts';
import { goalModel } from './goals/index.ts';
import { itemModel, itemRevisionModel } from './items/index.ts';
import { readingCollection, readingModel } from './readings/index.ts';

export const migrations: readonly Migration[] = [
  outboxMigration('0001-outbox'),
  idempotencyMigration('0002-idempotency'),
  { id: '0003-settings', up: (connection) => ensureSettings(connection, 'settings') },
  inboxMigration('0004-inbox'),
  {
    id: '0005-knowledge',
    async up(connection) {
      for (const model of [goalModel, itemModel, itemRevisionModel]) await ensureIndexes(model(connection) as never);
      const [backfills, readings] = [backfillModel(connection), readingModel(connection)];
      await ensureIndexes(backfills);
      await ensureIndexes(readings);
      await ensureDueIndexes(backfills.collection as never);
      await ensureDueIndexes(readings.collection as never);
    },
  },
  { id: '0006-sketches', up: (connection) => ensureIndexes(itemModel(connection)) },
  publishedBodiesMigration('0007-published-bodies'),
  { id: '0008-turns', up: (connection) => ensureTurnIndexes(readingCollection({ connection })) },
  {
    id: '0009-turns-of-backfills',
    up: (connection) => ensureTurnIndex(backfillModel(connection).collection as never),
  },
];
