import {
  ensureDueIndexes,
  ensureIndexes,
  ensureSettings,
  idempotencyMigration,
  outboxMigration,
  publishedBodiesMigration,
  tombstonesMigration,
  type Migration,
} from '@clew/persistence';
import { conversationCollection, conversationModel } from './conversations/conversation.model.ts';
import { ensureErasureIndexes, erasureCollection } from './erasure/erasure.model.ts';
import { contentModel, createFragmentCollection, fragmentModel } from './fragments/fragment.model.ts';
import { SETTINGS_COLLECTION } from './retention/create-retention.ts';
import { ensureSweepIndexes, sweepCollection } from './retention/sweep.model.ts';
import { scoreModel } from './scores/scores.store.ts';
import { snapshotChunkModel, snapshotModel } from './snapshots/snapshot.model.ts';

const BASELINE = '0001-telemetry';

export const migrations: readonly Migration[] = [
  {
    id: BASELINE,
    async up(connection) {
      await createFragmentCollection(connection);
      for (const model of [fragmentModel, contentModel, conversationModel]) await ensureIndexes(model(connection));
      for (const model of [snapshotModel, snapshotChunkModel, scoreModel]) await ensureIndexes(model(connection));
      await ensureDueIndexes(conversationCollection(connection));
      await ensureDueIndexes(sweepCollection({ connection }));
      await ensureSweepIndexes(connection);
      await ensureDueIndexes(erasureCollection({ connection }));
      await ensureErasureIndexes({ connection });
      await ensureSettings(connection, SETTINGS_COLLECTION);
      const shared = [outboxMigration, publishedBodiesMigration, idempotencyMigration, tombstonesMigration];
      for (const migrationOf of shared) await migrationOf(BASELINE).up(connection);
    },
  },
];
