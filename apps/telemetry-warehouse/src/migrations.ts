import {
  ensureDueIndexes,
  ensureIndexes,
  ensureSettings,
  ensureIdempotency,
  ensureOutbox,
  ensureTombstones,
  type Migration,
} from '@clew/persistence';
import { conversationCollection, conversationModel } from './conversations/conversation.model.ts';
import { noteReadyConversations } from './conversations/note-ready-conversations.ts';
import { ensureErasureIndexes, erasureCollection } from './erasure/erasure.model.ts';
import { contentModel, createFragmentCollection, fragmentModel } from './fragments/fragment.model.ts';
import { SETTINGS_COLLECTION } from './retention/create-retention.ts';
import { ensureSweepIndexes, seedSweeps, sweepCollection } from './retention/sweep.model.ts';
import { scoreModel } from './scores/scores.store.ts';
import { snapshotChunkModel, snapshotModel } from './snapshots/snapshot.model.ts';

export const migrations: readonly Migration[] = [
  {
    id: '0001-telemetry',
    async up(connection) {
      await ensureIndexes(conversationModel(connection));
      await ensureIndexes(snapshotModel(connection));
      await ensureIndexes(snapshotChunkModel(connection));
      await ensureIndexes(scoreModel(connection));
    },
  },
  { id: '0002-outbox', up: ensureOutbox },
  { id: '0003-idempotency', up: ensureIdempotency },
  {
    id: '0004-due-conversations',
    async up(connection) {
      const conversations = conversationCollection(connection);
      await ensureDueIndexes(conversations);
    },
  },
  {
    id: '0005-trace-fragments',
    async up(connection) {
      await createFragmentCollection(connection);
      await ensureIndexes(fragmentModel(connection));
      await ensureIndexes(contentModel(connection));
    },
  },
  {
    id: '0006-ready-conversations',
    async up(connection) {
      await noteReadyConversations(conversationCollection(connection));
      await ensureIndexes(conversationModel(connection));
    },
  },
  {
    id: '0007-call-keys',
    async up(connection) {
      await ensureIndexes(fragmentModel(connection));
    },
  },
  {
    id: '0008-retention',
    async up(connection) {
      for (const model of [fragmentModel, contentModel, conversationModel]) await ensureIndexes(model(connection));
      for (const model of [snapshotModel, snapshotChunkModel, scoreModel]) await ensureIndexes(model(connection));
      await ensureSettings(connection, SETTINGS_COLLECTION);
      await ensureDueIndexes(sweepCollection({ connection }));
      await ensureSweepIndexes(connection);
      await seedSweeps(connection, Date.now());
    },
  },
  { id: '0009-tombstones', up: ensureTombstones },
  {
    id: '0010-erasures',
    async up(connection) {
      await ensureDueIndexes(erasureCollection({ connection }));
      await ensureErasureIndexes({ connection });
    },
  },
];
