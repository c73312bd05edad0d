import type { KeyObject } from 'node:crypto';
import { AppError, comeBackLater, notFound, type Clock } from '@clew/kernel';
import {
  DEVICE_INTERVAL_SECONDS,
  DEVICE_MS,
  type ApiKey,
  type AuditAction,
  type DeviceDecision,
} from '@clew/contracts';
import { isDuplicateKey, type Database, type Transaction } from '@clew/persistence';
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
import type { Tokens } from '../sessions/tokens.ts';
import { addressBlock } from '../sign-in/address-block.ts';
import type { SignInThrottle } from '../sign-in/sign-in-throttle.ts';
import { asked, decided, isWaiting, newDevice, type DeviceAnswer, type StoredDevice } from './device.ts';
import type { DeviceStore } from './devices.store.ts';
import { newUserCode, shownUserCode } from './user-code.ts';

export interface DevicesDependencies {
  database: Database;
  devices: DeviceStore;
  users: Pick<UserStore, 'get'>;
  apiKeys: Pick<ApiKeyStore, 'insert'>;
  projects: Pick<ProjectStore, 'get'>;
  audit: AuditLog;
  throttle: SignInThrottle;
  tokens: Tokens;
  clock: Clock;
  pepper: KeyObject;
  environment: string;
  publicUrl: string;
}

/** Person who decides on a device. */
export interface DeviceDecider {
  user: StoredUser;
  origin: RequestOrigin;
}

/** Devices of one block of addresses that wait at a time. */
const MAX_WAITING = 100;
const KEY_MS = 90 * 24 * 60 * 60 * 1_000;
const MAX_TRIES = 5;

const MESSAGES: Readonly<Record<Exclude<DeviceAnswer, 'deliver'>, string>> = {
  AUTHORIZATION_PENDING: 'Nobody has approved the device yet: ask again after the interval',
  SLOW_DOWN: 'The device asks too often: its interval is five seconds longer from now on',
  ACCESS_DENIED: 'The device was denied',
  EXPIRED_TOKEN: 'The device waited for too long: begin again',
  INVALID_GRANT: 'The device code is unknown or was used',
};

export type DevicesService = ReturnType<typeof createDevicesService>;

/** Keys for devices that a person approves in a browser (RFC 8628). */
export function createDevicesService(deps: DevicesDependencies) {
  const { database, devices, users, throttle, tokens, clock } = deps;
  const hashOfCode = (userCode: string) => tokens.hashOf('user-code', userCode);

  return {
    /** Begins: the codes are told here alone, and stored as hashes. */
    async start(name: string, { address }: RequestOrigin) {
      const blockHash = tokens.hashOf('throttle', `device ${addressBlock(address)}`);
      if ((await devices.countWaiting(blockHash, clock.now(), MAX_WAITING)) >= MAX_WAITING) {
        throw comeBackLater(
          'RATE_LIMITED',
          'Too many devices wait for their approval',
          DEVICE_INTERVAL_SECONDS * 1_000,
        );
      }
      const { value: deviceCode, hash } = tokens.make('device');
      const userCode = await insertWithCode({ hash, name, address, blockHash });
      const verificationUri = `${deps.publicUrl}/device`;
      const shown = shownUserCode(userCode);
      return {
        ...{ deviceCode, userCode: shown, verificationUri },
        verificationUriComplete: `${verificationUri}?code=${shown}`,
        ...{ expiresInSeconds: DEVICE_MS / 1_000, intervalSeconds: DEVICE_INTERVAL_SECONDS },
      };
    },

    /** Takes a question of a device; resolves with its key, once. The key is made here, so that its secret is never stored. */
    async token(deviceCode: string, origin: RequestOrigin): Promise<{ apiKey: ApiKey; secret: string }> {
      const hash = tokens.hashOf('device', deviceCode);
      if ((await devices.get(hash)) === undefined) {
        await countFailure(origin);
        throw refusal('INVALID_GRANT');
      }
      const outcome = await database.withTransaction(async (tx) => {
        const before = await devices.get(hash, tx);
        if (before === undefined) return { answer: 'INVALID_GRANT' as const };
        const { device, answer } = asked(before, clock.now());
        if (device !== before) await devices.put(tx, device);
        return answer === 'deliver' ? { answer, made: await makeKey(tx, device, origin) } : { answer };
      });
      if (outcome.answer !== 'deliver') throw refusal(outcome.answer);
      if (outcome.made === undefined) throw refusal('ACCESS_DENIED');
      return outcome.made;
    },

    /** Finds the device that waits with a user code, for the page on which a person compares it. */
    find: (userCode: string, decider: DeviceDecider) => tried(userCode, decider),

    /** Approves or denies a device, once. */
    async decide(
      { userCode, decision, projectId }: { userCode: string; decision: DeviceDecision; projectId?: string | undefined },
      decider: DeviceDecider,
    ): Promise<{ name: string; decision: DeviceDecision }> {
      const { hash, name } = await tried(userCode, decider);
      const isApproved = decision === 'approve';
      await database.withTransaction(async (tx) => {
        const { origin } = decider;
        const [before, user] = [await devices.get(hash, tx), await users.get(decider.user.id, tx)];
        if (before === undefined || user === undefined || !isActive(user)) throw notFound();
        if (isApproved) requireRights(user, projectId ?? null);
        const choice = { userId: user.id, isApproved, projectId: projectId ?? null };
        const device = decided(before, choice, clock.now());
        if (device === before) throw notFound();
        await devices.put(tx, device);
        await record(tx, isApproved ? 'device.approved' : 'device.denied', device, { user, origin });
      });
      return { name, decision };
    },
  };

  async function insertWithCode(
    device: Pick<StoredDevice, 'hash' | 'name' | 'address' | 'blockHash'>,
  ): Promise<string> {
    for (let tries = 1; ; tries += 1) {
      const userCode = newUserCode();
      try {
        await devices.insert(newDevice({ ...device, userCodeHash: hashOfCode(userCode) }, clock.now()));
        return userCode;
      } catch (error) {
        if (!isDuplicateKey(error) || tries === MAX_TRIES) throw error;
      }
    }
  }

  /** Finds a device by its user code; a wrong one counts as a failed try of the person and the address. */
  async function tried(userCode: string, { user, origin }: DeviceDecider): Promise<StoredDevice> {
    const attempt = await throttle.begin({ address: origin.address, account: `device ${user.id}` });
    const device = await devices.findByUserCode(hashOfCode(userCode));
    if (device === undefined || !isWaiting(device, clock.now())) {
      await attempt.failed();
      throw notFound('NOT_FOUND', 'No device waits with this code');
    }
    await attempt.withdraw();
    return device;
  }

  async function countFailure({ address }: RequestOrigin): Promise<void> {
    const attempt = await throttle.begin({ address });
    await attempt.failed();
  }

  /** Makes the key with the rights that its person has now; undefined for somebody who has none any more. */
  async function makeKey(tx: Transaction, device: StoredDevice, origin: RequestOrigin) {
    const user = device.userId === null ? undefined : await users.get(device.userId, tx);
    const rights = user === undefined ? undefined : rightsOf(user, device.projectId);
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
    await record(tx, 'device.signed-in', device, { user, origin });
    return { apiKey: apiKeyView(key), secret };
  }

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

  async function record(
    tx: Transaction,
    action: Extract<AuditAction, `device.${string}`>,
    { name, address, projectId, createdAt }: StoredDevice,
    { user: { id, workspaceId }, origin }: DeviceDecider,
  ): Promise<void> {
    const target = { kind: 'device' as const, id: name };
    const by = { actor: { kind: 'user' as const, id }, ...origin };
    const after = { askedFrom: address, askedAt: createdAt };
    await deps.audit.append(tx, {
      workspaceId,
      projectId,
      ...by,
      action,
      target,
      before: null,
      after,
      at: clock.now(),
    });
  }
}

/** Rights of a person that a key for one project, or for all of theirs, may have; undefined if there are none. */
function rightsOf(user: StoredUser, projectId: string | null) {
  const mine = projectsOf(user);
  if (!isActive(user) || (projectId !== null && mine !== 'all' && !mine.includes(projectId))) return undefined;
  const projectIds = projectId === null ? mine : [projectId];
  const scopes = projectIds.length === 0 ? [] : [...scopesIn(user, projectIds)];
  return scopes.length === 0 ? undefined : { projectIds, scopes };
}

function requireRights(user: StoredUser, projectId: string | null): void {
  if (rightsOf(user, projectId) !== undefined) return;
  if (projectId !== null) throw notFound();
  throw new AppError('FORBIDDEN', 'No project is open to you in which a key could do anything');
}

function refusal(code: Exclude<DeviceAnswer, 'deliver'>): AppError {
  return new AppError(code, MESSAGES[code]);
}
