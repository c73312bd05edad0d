import { comeBackLater, notFound, AppError, type Clock } from '@clew/kernel';
import { DEVICE_INTERVAL_SECONDS, DEVICE_MS, type ApiKey, type DeviceDecision } from '@clew/contracts';
import { isDuplicateKey, type Database } from '@clew/persistence';
import { isActive } from '../people/user.ts';
import type { RequestOrigin } from '../request-origin.ts';
import type { Tokens } from '../sessions/tokens.ts';
import { addressBlock } from '../sign-in/address-block.ts';
import type { SignInThrottle } from '../sign-in/sign-in-throttle.ts';
import { asked, decided, isWaiting, newDevice, type DeviceAnswer, type StoredDevice } from './device.ts';
import { createRecordDevice, type DeviceDecider } from './device-journal.ts';
import { createDeviceKeys, requireRights, type DeviceKeysDependencies } from './device-keys.ts';
import type { DeviceStore } from './devices.store.ts';
import { newUserCode, shownUserCode } from './user-code.ts';

export interface DevicesDependencies extends Omit<DeviceKeysDependencies, 'record'> {
  database: Database;
  devices: DeviceStore;
  throttle: SignInThrottle;
  tokens: Tokens;
  clock: Clock;
  publicUrl: string;
}

/** Devices of one block of addresses that wait at a time. */
const MAX_WAITING = 100;
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
  return { ...createAsking(deps), ...createDeciding(deps) };
}

/** Side of the device. */
function createAsking(deps: DevicesDependencies) {
  const { database, devices, throttle, tokens, clock } = deps;
  const makeKey = createDeviceKeys({ ...deps, record: createRecordDevice(deps) });

  return {
    /** Begins: the codes are told here alone, and stored as hashes. */
    async start(name: string, { address }: RequestOrigin) {
      const blockHash = tokens.hashOf('throttle', `device ${addressBlock(address)}`);
      if ((await devices.countWaiting(blockHash, clock.now(), MAX_WAITING)) >= MAX_WAITING) {
        throw comeBackLater('RATE_LIMITED', 'Too many devices wait for approval', DEVICE_INTERVAL_SECONDS * 1_000);
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
  };

  async function insertWithCode(
    device: Pick<StoredDevice, 'hash' | 'name' | 'address' | 'blockHash'>,
  ): Promise<string> {
    for (let tries = 1; ; tries += 1) {
      const userCode = newUserCode();
      try {
        await devices.insert(newDevice({ ...device, userCodeHash: tokens.hashOf('user-code', userCode) }, clock.now()));
        return userCode;
      } catch (error) {
        if (!isDuplicateKey(error) || tries === MAX_TRIES) throw error;
      }
    }
  }

  async function countFailure({ address }: RequestOrigin): Promise<void> {
    const attempt = await throttle.begin({ address });
    await attempt.failed();
  }
}

/** Side of the person. */
function createDeciding(deps: DevicesDependencies) {
  const { database, devices, users, throttle, tokens, clock } = deps;
  const record = createRecordDevice(deps);

  return {
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
        if (isApproved) await requireRights(deps, tx, user, projectId ?? null);
        const choice = { userId: user.id, isApproved, projectId: projectId ?? null };
        const device = decided(before, choice, clock.now());
        if (device === before) throw notFound();
        await devices.put(tx, device);
        await record(tx, isApproved ? 'device.approved' : 'device.denied', device, { user, origin });
      });
      return { name, decision };
    },
  };

  /** Finds a device by its user code; a wrong one counts as a failed try of the person and the address. */
  async function tried(userCode: string, { user, origin }: DeviceDecider): Promise<StoredDevice> {
    const attempt = await throttle.begin({ address: origin.address, account: `device ${user.id}` });
    const device = await devices.findByUserCode(tokens.hashOf('user-code', userCode));
    if (device === undefined || !isWaiting(device, clock.now())) {
      await attempt.failed();
      throw notFound('NOT_FOUND', 'No device waits with this code');
    }
    await attempt.withdraw();
    return device;
  }
}

function refusal(code: Exclude<DeviceAnswer, 'deliver'>): AppError {
  return new AppError(code, MESSAGES[code]);
}
