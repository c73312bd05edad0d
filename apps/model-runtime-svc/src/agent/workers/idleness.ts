import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@clew/kernel';
import { processorTicksOf } from '../processes/identity.ts';
import type { ResourceStore } from '../../resources/index.ts';

export interface IdlenessOptions {
  store: ResourceStore;
  clock: Clock;
  resourceId: string;
  pid: number;
  idleTimeoutMs: number | null;
  signal: AbortSignal;
}

const MAX_LOOK_EVERY_MS = 15_000;
/** Of 100 a second: what an engine spends on doing nothing stays below. */
const BUSY_TICKS_PER_SECOND = 5;

/**
 * Resolves with true once nobody has used a service for its time, with false when the signal ends the watch first. Who
 * calls it notes so when the call begins; during a long answer the processor time tells that it is at work.
 */
export async function watchIdleness(options: IdlenessOptions): Promise<boolean> {
  const { store, clock, resourceId, pid, idleTimeoutMs, signal } = options;
  if (idleTimeoutMs === null) return false;
  const everyMs = Math.min(MAX_LOOK_EVERY_MS, idleTimeoutMs / 4);
  let busyAtMs = clock.now();
  let ticks = processorTicksOf(pid) ?? 0;
  for (;;) {
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return false;
    const now = processorTicksOf(pid) ?? 0;
    if (now - ticks > (BUSY_TICKS_PER_SECOND * everyMs) / 1_000) busyAtMs = clock.now();
    ticks = now;
    const resource = await store.get(resourceId).catch(() => undefined);
    if (resource === undefined) continue;
    if (clock.now() - Math.max(busyAtMs, resource.lastUsedAt) >= idleTimeoutMs) return true;
  }
}
