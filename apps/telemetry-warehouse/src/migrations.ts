import {
  dropIndex,
  ensureDueIndexes,
  ensureIndexes,
  idempotencyMigration,
  outboxMigration,
  type Migration,
} from '@clew/persistence';
import { conversationCollection, conversationModel } from './conversations/conversation.model.ts';
import { scoreModel } from './scores/scores.store.ts';
import { snapshotChunkModel, snapshotModel } from './snapshots/snapshot.model.ts';
import { conversationTraceModel, rawPayloadModel, spanModel } from './spans/span.model.ts';

export const migrations: readonly Migration[] = [
  {
    id: '0001-telemetry',
    async up(connection) {
      await ensureIndexes(spanModel(connection));
      await ensureIndexes(rawPayloadModel(connection));
      await ensureIndexes(conversationTraceModel(connection));
      await ensureIndexes(conversationModel(connection));
      await ensureIndexes(snapshotModel(connection));
      await ensureIndexes(snapshotChunkModel(connection));
      await ensureIndexes(scoreModel(connection));
    },
  },
  outboxMigration('0002-outbox'),
  idempotencyMigration('0003-idempotency'),
  {
    id: '0004-due-conversations',
    async up(connection) {
      const conversations = conversationCollection(connection);
      await ensureDueIndexes(conversations);
      await dropIndex(conversations, 'dueAt_1');
    },
  },
];
