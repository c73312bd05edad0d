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
const LOOK_AT_REST_EVERY_MS = 500;
/** Longer than an engine pauses within an answer, and than callers believe in a service that has been suspended. */
const AT_REST_MS = 2_000;
/** The record says when calls began, which is no matter here. */
const UNUSED = { lastUsedAt: 0, probe: null };

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

/** Resolves once an engine has nothing to answer any more, as its processor time tells, or with the signal. */
export async function untilAtRest(options: Pick<IdlenessOptions, 'clock' | 'child' | 'signal'>): Promise<void> {
  const { clock, child, signal } = options;
  const look = async () => ({ nowMs: clock.now(), ticks: (await child.processorTicks()) ?? 0, resource: UNUSED });
  const isAtRest = createIdleWatch(AT_REST_MS, await look());
  do {
    await sleep(LOOK_AT_REST_EVERY_MS, undefined, { signal }).catch(() => undefined);
  } while (!signal.aborted && !isAtRest(await look()));
}
