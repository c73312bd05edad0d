import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@clew/kernel';
import type { ResourceStore } from '../../resources/index.ts';
import type { EngineChild } from '../../engine-host/index.ts';
import { createIdleWatch } from './idle-watch.ts';

export interface IdlenessOptions {
  store: ResourceStore;
  clock: Clock;
  resourceId: string;
  child: Pick<EngineChild, 'processorTicks'>;
  idleTimeoutMs: number | null;
  signal: AbortSignal;
}

const MAX_LOOK_EVERY_MS = 15_000;

/** Resolves with true once nobody has used a service for its time, with false when the signal ends the watch first. */
export async function watchIdleness(options: IdlenessOptions): Promise<boolean> {
  const { store, clock, resourceId, child, idleTimeoutMs, signal } = options;
  if (idleTimeoutMs === null) return false;
  const everyMs = Math.min(MAX_LOOK_EVERY_MS, idleTimeoutMs / 4);
  const look = async () => ({ nowMs: clock.now(), ticks: (await child.processorTicks()) ?? 0 });
  const isIdle = createIdleWatch(idleTimeoutMs, await look());
  for (;;) {
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return false;
    // Before the record is read: what a probe has caused by now is in it.
    const seen = await look();
    const resource = await store.get(resourceId).catch(() => undefined);
    if (isIdle({ ...seen, resource })) return true;
  }
}
