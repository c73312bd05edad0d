import { DEVICE_INTERVAL_SECONDS, DEVICE_MS } from '@clew/contracts';

/** Device that asks for a key, as stored: hashes of its codes, never the codes. */
export interface StoredDevice {
  /** Hash of the device code. */
  hash: string;
  userCodeHash: string;
  /** Name of the machine. */
  name: string;
  /** Network address that it asked from. */
  address: string | null;
  /** Hash of the block of that address, by which waiting devices are counted. */
  blockHash: string;
  state: 'pending' | 'approved' | 'denied' | 'delivered';
  /** Person who approved or denied it. */
  userId: string | null;
  /** Project of the key; null for all of the person's. */
  projectId: string | null;
  intervalMs: number;
  lastAskedAt: number | null;
  createdAt: number;
  expiresAt: number;
}

/** Answer to a device that asks for its key. */
export type DeviceAnswer =
  'deliver' | 'AUTHORIZATION_PENDING' | 'SLOW_DOWN' | 'ACCESS_DENIED' | 'EXPIRED_TOKEN' | 'INVALID_GRANT';

const INTERVAL_MS = DEVICE_INTERVAL_SECONDS * 1_000;
/** Wait beyond which it does not grow: longer ones would outlast the codes. */
const MAX_INTERVAL_MS = 60_000;

export function newDevice(
  asked: Pick<StoredDevice, 'hash' | 'userCodeHash' | 'name' | 'address' | 'blockHash'>,
  nowMs: number,
): StoredDevice {
  return {
    ...{ ...asked, state: 'pending', userId: null, projectId: null, intervalMs: INTERVAL_MS, lastAskedAt: null },
    ...{ createdAt: nowMs, expiresAt: nowMs + DEVICE_MS },
  };
}

export function isWaiting({ state, expiresAt }: Pick<StoredDevice, 'state' | 'expiresAt'>, nowMs: number): boolean {
  return state === 'pending' && expiresAt > nowMs;
}

/** Decides on a device that waits; the same object for one that does not. */
export function decided(
  device: StoredDevice,
  { userId, isApproved, projectId }: { userId: string; isApproved: boolean; projectId: string | null },
  nowMs: number,
): StoredDevice {
  if (!isWaiting(device, nowMs)) return device;
  return { ...device, state: isApproved ? 'approved' : 'denied', userId, projectId };
}

/** Takes a question of a device. The key is delivered once, and only to one that keeps to its interval. */
export function asked(device: StoredDevice, nowMs: number): { device: StoredDevice; answer: DeviceAnswer } {
  const { state, intervalMs, lastAskedAt } = device;
  if (state === 'delivered') return { device, answer: 'INVALID_GRANT' };
  if (device.expiresAt <= nowMs) return { device, answer: 'EXPIRED_TOKEN' };
  if (state === 'denied') return { device, answer: 'ACCESS_DENIED' };
  if (lastAskedAt !== null && nowMs - lastAskedAt < intervalMs) {
    const slower = Math.min(MAX_INTERVAL_MS, intervalMs + INTERVAL_MS);
    return { device: { ...device, intervalMs: slower, lastAskedAt: nowMs }, answer: 'SLOW_DOWN' };
  }
  const heard = { ...device, lastAskedAt: nowMs };
  if (state === 'pending') return { device: heard, answer: 'AUTHORIZATION_PENDING' };
  return { device: { ...heard, state: 'delivered' }, answer: 'deliver' };
}
