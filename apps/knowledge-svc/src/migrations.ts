import { ensureSettings, idempotencyMigration, outboxMigration, type Migration } from '@clew/persistence';

export const migrations: readonly Migration[] = [
  outboxMigration('0001-outbox'),
  idempotencyMigration('0002-idempotency'),
  { id: '0003-settings', up: (connection) => ensureSettings(connection, 'settings') },
];
