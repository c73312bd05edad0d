import { inboxMigration, outboxMigration, type Migration } from '@clew/persistence';

/** Numbers say the order; each area adds its own. */
export const migrations: readonly Migration[] = [outboxMigration('0001-outbox'), inboxMigration('0002-inbox')];
