import type { KeyObject } from 'node:crypto';
import { AppError, notFound, type Clock } from '@clew/kernel';
import type { ApiKey } from '@clew/contracts';
import type { Transaction } from '@clew/persistence';
import { apiKeyView, newApiKey, projectOf, type StoredApiKey } from '../api-keys/api-key.ts';
import type { ApiKeyStore } from '../api-keys/api-keys.store.ts';
import { hashKey, newKeySecret, startOfKey } from '../api-keys/key-format.ts';
import { scopesIn } from '../api-keys/scopes-of-person.ts';
import type { AuditLog } from '../audit/audit.ts';
import { projectsOf } from '../auth/credential.ts';
import { isActive, type StoredUser } from '../people/user.ts';
import type { UserStore } from '../people/users.store.ts';
import type { ProjectStore } from '../projects/projects.store.ts';
import type { RequestOrigin } from '../request-origin.ts';
import type { StoredDevice } from './device.ts';
import type { DeviceDecider, RecordDevice } from './device-journal.ts';

export interface DeviceKeysDependencies {
  users: Pick<UserStore, 'get'>;
  apiKeys: Pick<ApiKeyStore, 'insert'>;
  projects: Pick<ProjectStore, 'get'>;
  audit: AuditLog;
  record: RecordDevice;
  clock: Clock;
  pepper: KeyObject;
  environment: string;
}

/** Makes the key of an approved device, with the rights that its person has now; undefined if they have none any more. */
export type MakeDeviceKey = (
  tx: Transaction,
  device: StoredDevice,
  origin: RequestOrigin,
) => Promise<{ apiKey: ApiKey; secret: string } | undefined>;

const KEY_MS = 90 * 24 * 60 * 60 * 1_000;

export function createDeviceKeys(deps: DeviceKeysDependencies): MakeDeviceKey {
  const { users, clock } = deps;

  async function recordKey(tx: Transaction, key: StoredApiKey, { user, origin }: DeviceDecider): Promise<void> {
    const { workspaceId, scopes, projectIds } = key;
    const about = { workspaceId, projectId: projectOf(key), actor: { kind: 'user', id: user.id } as const, ...origin };
    const target = { kind: 'api-key', id: key.id } as const;
    const after = { scopes, projectIds };
    await deps.audit.append(tx, {
      ...about,
      action: 'api-key.created',
      target,
      before: null,
      after,
      at: key.createdAt,
    });
  }

  return async (tx, device, origin) => {
    const user = device.userId === null ? undefined : await users.get(device.userId, tx);
    const rights = user === undefined ? undefined : await rightsOf(deps, tx, user, device.projectId);
    if (user === undefined || rights === undefined) return undefined;
    const now = clock.now();
    const secret = newKeySecret(deps.environment);
    const stored = { hash: hashKey(deps.pepper, secret), start: startOfKey(secret) };
    const { id, workspaceId } = user;
    const maker = { id, workspaceId, ...rights, expiresAt: null, userId: id };
    const request = { name: device.name, ...rights, expiresAt: now + KEY_MS };
    const key = newApiKey(maker, request, stored, now);
    await deps.apiKeys.insert(tx, key);
    await recordKey(tx, key, { user, origin });
    await deps.record(tx, 'device.signed-in', device, { user, origin });
    return { apiKey: apiKeyView(key, new Map([[id, user.name]])), secret };
  };
}

/** Rights of a person that a key for one project, or for all of theirs, may have; undefined if there are none. */
async function rightsOf(
  { projects }: Pick<DeviceKeysDependencies, 'projects'>,
  tx: Transaction,
  user: StoredUser,
  projectId: string | null,
) {
  const mine = projectsOf(user);
  if (!isActive(user) || (projectId !== null && mine !== 'all' && !mine.includes(projectId))) return undefined;
  // An owner has every project, but only those of their workspace.
  if (projectId !== null && (await projects.get(user.workspaceId, projectId, tx)) === undefined) return undefined;
  const projectIds = projectId === null ? mine : [projectId];
  const scopes = projectIds.length === 0 ? [] : [...scopesIn(user, projectIds)];
  return scopes.length === 0 ? undefined : { projectIds, scopes };
}

/** Throws unless a key of this person could do anything. */
export async function requireRights(
  deps: Pick<DeviceKeysDependencies, 'projects'>,
  tx: Transaction,
  user: StoredUser,
  projectId: string | null,
): Promise<void> {
  if ((await rightsOf(deps, tx, user, projectId)) !== undefined) return;
  if (projectId !== null) throw notFound();
  throw new AppError('FORBIDDEN', 'No project is open to you in which a key could do anything');
}
