import {
  ensureIdempotency,
  ensureInbox,
  ensureIndexes,
  ensureOutbox,
  ensureSettings,
  type Migration,
} from '@clew/persistence';
import { ensureProjectErasureIndexes } from './project-erasures/project-erasure.model.ts';
import { deviceModel } from './devices/device.model.ts';
import { accountLinkModel } from './oidc/account-link.model.ts';
import { dropUnlessUnique } from './people/drop-unless-unique.ts';
import { keyInvitations } from './invitations/key-invitations.ts';
import { apiKeyModel } from './api-keys/api-key.model.ts';
import { invitationModel } from './invitations/invitation.model.ts';
import { userModel } from './people/user.model.ts';
import { auditModel } from './audit/audit.model.ts';
import { widenEntries } from './audit/widen-entries.ts';
import { projectModel, workspaceModel } from './projects/project.model.ts';
import { QUOTAS_COLLECTION } from './quotas/quotas.store.ts';
import { resetModel } from './resets/reset.model.ts';
import { sessionModel } from './sessions/session.model.ts';
import { oneTimeLinkModel } from './sign-in/one-time-link.model.ts';
import { ensureSignInTries } from './sign-in/sign-in-throttle.model.ts';

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
  {
    id: '0003-people',
    async up(connection) {
      await ensureIndexes(userModel(connection), sessionModel(connection), oneTimeLinkModel(connection));
      await ensureSignInTries(connection);
    },
  },
  {
    id: '0004-invitations',
    async up(connection) {
      const models = [apiKeyModel, invitationModel, resetModel];
      await ensureIndexes(...models.map((model) => model(connection)));
    },
  },
  { id: '0005-quotas', up: (connection) => ensureSettings(connection, QUOTAS_COLLECTION) },
  {
    id: '0006-sign-in-providers',
    async up(connection) {
      await keyInvitations(connection);
      await dropUnlessUnique(connection, 'identities.issuer_1_identities.subject_1');
      await ensureIndexes(...[userModel, invitationModel, accountLinkModel].map((model) => model(connection)));
    },
  },
  {
    id: '0007-devices',
    up: (connection) => ensureIndexes(deviceModel(connection)),
  },
];
