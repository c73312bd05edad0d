import { ensureIndexes, idempotencyMigration, outboxMigration, type Migration } from '@clew/persistence';
import { apiKeyModel } from './api-keys/api-key.model.ts';
import { auditModel } from './audit/audit.ts';
import { projectModel, workspaceModel } from './projects/project.model.ts';

export const migrations: readonly Migration[] = [
  {
    id: '0001-identity',
    async up(connection) {
      await ensureIndexes(workspaceModel(connection));
      await ensureIndexes(projectModel(connection));
      await ensureIndexes(apiKeyModel(connection));
      await ensureIndexes(auditModel(connection));
    },
  },
  outboxMigration('0002-outbox'),
  idempotencyMigration('0003-idempotency'),
];
