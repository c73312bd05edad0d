import {
  ensureDueIndexes,
  ensureIndexes,
  ensureSettings,
  ensureTurnIndex,
  idempotencyMigration,
  outboxMigration,
  publishedBodiesMigration,
  tombstonesMigration,
  type Migration,
} from '@clew/persistence';
import { conversationCollection, conversationModel } from './conversations/index.ts';
import { ensureErasureIndexes, erasureCollection } from './erasure/index.ts';
import { contentModel, createFragmentCollection, fragmentModel } from './fragments/index.ts';
import { ensureSweepIndexes, SETTINGS_COLLECTION, sweepCollection } from './retention/index.ts';
import { scoreModel } from './scores/index.ts';
import { snapshotChunkModel, snapshotModel } from './snapshots/index.ts';

const BASELINE = '0001-telemetry';

export const migrations: readonly Migration[] = [
  {
    id: BASELINE,
    async up(connection) {
      await createFragmentCollection(connection);
      for (const model of [fragmentModel, contentModel, conversationModel]) await ensureIndexes(model(connection));
      for (const model of [snapshotModel, snapshotChunkModel, scoreModel]) await ensureIndexes(model(connection));
      await ensureDueIndexes(conversationCollection(connection));
      await ensureTurnIndex(conversationCollection(connection));
      await ensureDueIndexes(sweepCollection({ connection }));
      await ensureSweepIndexes(connection);
      await ensureDueIndexes(erasureCollection({ connection }));
      await ensureTurnIndex(erasureCollection({ connection }));
      await ensureErasureIndexes({ connection });
      await ensureSettings(connection, SETTINGS_COLLECTION);
      const shared = [outboxMigration, publishedBodiesMigration, idempotencyMigration, tombstonesMigration];
      for (const migrationOf of shared) await migrationOf(BASELINE).up(connection);
    },
  },
];
