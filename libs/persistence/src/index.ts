export {
  connectMongo,
  isDuplicateKey,
  nativeDb,
  type Database,
  type MongoOptions,
  type Transaction,
} from './database.ts';
export { createIdempotencyStore, idempotencyMigration } from './idempotency.ts';
export { createInbox, inboxMigration, type Inbox } from './inbox.ts';
export { insertNew } from './insert-new.ts';
export {
  changedSince,
  compareBy,
  findInOrder,
  NEWEST_FIRST,
  readSlice,
  walkInOrder,
  type KeysetList,
  type KeysetRead,
} from './keyset-list.ts';
export { compareKeys, keysetKey, type KeysetSort } from './keyset.ts';
export { createLease, type Lease } from './lease.ts';
export {
  ensureIndexes,
  migrate,
  MigrationError,
  pendingMigrations,
  type MigrateOptions,
  type Migration,
} from './migrations.ts';
export { modelOf } from './model.ts';
export {
  createOutbox,
  onOutboxAppended,
  outboxCollection,
  outboxMigration,
  type Outbox,
  type OutboxMessage,
  type OutboxRow,
} from './outbox.ts';
