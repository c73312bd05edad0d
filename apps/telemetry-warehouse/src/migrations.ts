import {
  ensureScheduleIndexes,
  ensureIndexes,
  ensureIdempotency,
  ensureOutbox,
  ensureSettings,
  ensureTombstones,
  ensureTurnIndex,
  type Migration,
} from '@clew/persistence';
import { addFacets, conversationCollection, conversationModel, dropFormerListIndexes } from './conversations/index.ts';
import { ensureErasureIndexes, erasureCollection } from './erasure/index.ts';
import { contentModel, createFragmentCollection, fragmentModel } from './fragments/index.ts';
import { ensurePrivacyIndex, SETTINGS_COLLECTION } from './privacy/index.ts';
import { dayModel, ensureSeriesNames, hourModel, packDays } from './hours/index.ts';
import { ensureIngestDayIndex, QUOTAS_COLLECTION, storedBytesCollection } from './quotas/index.ts';
import { ensureSweepIndexes, sweepCollection } from './retention/index.ts';
import { scoreModel } from './scores/index.ts';
import { snapshotChunkModel, snapshotModel } from './snapshots/index.ts';

export const migrations: readonly Migration[] = [
  {
    id: '0001-baseline',
    async up(connection) {
      await createFragmentCollection(connection);
      for (const model of [fragmentModel, contentModel, conversationModel]) await ensureIndexes(model(connection));
      for (const model of [snapshotModel, snapshotChunkModel, scoreModel]) await ensureIndexes(model(connection));
      await ensureScheduleIndexes(conversationCollection(connection));
      await ensureTurnIndex(conversationCollection(connection));
      await ensureScheduleIndexes(sweepCollection({ connection }));
      await ensureSweepIndexes(connection);
      await ensureScheduleIndexes(erasureCollection({ connection }));
      await ensureTurnIndex(erasureCollection({ connection }));
      await ensureErasureIndexes({ connection });
      await ensureSettings(connection, SETTINGS_COLLECTION);
      await ensureOutbox(connection);
      await ensureIdempotency(connection);
      await ensureTombstones(connection);
    },
  },
  { id: '0002-private-projects', up: (connection) => ensurePrivacyIndex(connection) },
  {
    id: '0003-lists',
    async up(connection) {
      await addFacets(connection);
      await ensureIndexes(conversationModel(connection), hourModel(connection));
      await dropFormerListIndexes(connection);
      await ensureErasureIndexes({ connection });
      await ensureSeriesNames({ connection });
    },
  },
  { id: '0004-days-of-figures', up: (connection) => ensureIndexes(dayModel(connection)) },
  {
    id: '0005-quotas',
    async up(connection) {
      await ensureSettings(connection, QUOTAS_COLLECTION);
      await ensureIngestDayIndex(connection);
      await ensureScheduleIndexes(storedBytesCollection(connection));
    },
  },
  { id: '0006-packed-days', up: packDays },
  {
    id: '0007-words-without-flags',
    async up(connection) {
      await ensureIndexes(conversationModel(connection));
      // No released version names the former one.
      await dropFormerListIndexes(connection);
    },
  },
];
