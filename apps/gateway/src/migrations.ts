import { ensureIdempotency, ensureInbox, ensureIndexes, ensureOutbox, type Migration } from '@clew/persistence';
import { ensureProjectErasureIndexes } from './project-erasures/project-erasure.model.ts';
import { apiKeyModel } from './api-keys/api-key.model.ts';
import { auditModel } from './audit/audit.model.ts';
import { widenEntries } from './audit/widen-entries.ts';
import { projectModel, workspaceModel } from './projects/project.model.ts';

export const migrations: readonly Migration[] = [
  {
    id: '0001-baseline',
    async up(connection) {
      await ensureOutbox(connection);
      await ensureIdempotency(connection);
      const models = [workspaceModel, projectModel, apiKeyModel, auditModel];
      await ensureIndexes(...models.map((model) => model(connection)));
      await ensureProjectErasureIndexes({ connection });
    },
  },
  {
    id: '0002-audit',
    async up(connection) {
      await widenEntries(connection);
      await ensureInbox(connection);
      await ensureIndexes(auditModel(connection));
    },
  },
];
