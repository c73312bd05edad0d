import {
  ensureIndexes,
  idempotencyMigration,
  outboxMigration,
  publishedBodiesMigration,
  type Migration,
} from '@clew/persistence';
import { ensureProjectErasureIndexes } from './project-erasures/project-erasure.model.ts';
import { apiKeyModel } from './api-keys/api-key.model.ts';
import { capExpiries } from './api-keys/cap-expiries.ts';
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
  {
    id: '0004-project-erasures',
    async up(connection) {
      await ensureProjectErasureIndexes({ connection });
    },
  },
  publishedBodiesMigration('0005-published-bodies'),
  {
    id: '0006-key-lineage',
    async up(connection) {
      await ensureIndexes(apiKeyModel(connection));
      await capExpiries(connection);
    },
  },
];
