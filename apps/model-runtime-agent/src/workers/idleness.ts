import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@clew/kernel';
import type { ResourceStore } from '@clew/model-runtime';
import type { EngineChild } from '../engine-host/index.ts';
import { createIdleWatch } from './idle-watch.ts';

export interface IdlenessOptions {
  store: ResourceStore;
  clock: Clock;
  resourceId: string;
  child: Pick<EngineChild, 'processorTicks'>;
  idleTimeoutMs: number | null;
  signal: AbortSignal;
}

export interface RestOptions extends Pick<IdlenessOptions, 'clock' | 'child' | 'signal'> {
  /** Time without work; by default 2,000. */
  atRestMs?: number | undefined;
}

const MAX_LOOK_EVERY_MS = 15_000;
const LOOKS_AT_REST = 4;
/**
 * Longer than the pauses of an engine within an answer, and than the time for which callers trust a cached endpoint of
 * a suspended service.
 */
const AT_REST_MS = 2_000;
/** Stand-in for the record: the start times of calls do not matter here. */
const UNUSED = { lastUsedAt: 0, probe: null };

/**
 * Resolves with true when nobody has used a service for its idle time, with false if the signal ends the watch first.
 */
export async function watchIdleness(options: IdlenessOptions): Promise<boolean> {
  const { store, clock, resourceId, child, idleTimeoutMs, signal } = options;
  if (idleTimeoutMs === null) return false;
  const everyMs = Math.min(MAX_LOOK_EVERY_MS, idleTimeoutMs / 4);
  const look = async () => ({ nowMs: clock.now(), ticks: (await child.processorTicks()) ?? 0 });
  const isIdle = createIdleWatch(idleTimeoutMs, await look());
  for (;;) {
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return false;
    // Processor time is read before the record, so that every probe that caused some of it is in the record.
    const seen = await look();
    const resource = await store.get(resourceId).catch(() => undefined);
    if (isIdle({ ...seen, resource })) return true;
  }
}

/** Resolves when processor time shows that an engine has nothing left to answer, or when the signal is aborted. */
export async function untilAtRest(options: RestOptions): Promise<void> {
  const { clock, child, signal, atRestMs = AT_REST_MS } = options;
  const look = async () => ({ nowMs: clock.now(), ticks: (await child.processorTicks()) ?? 0, resource: UNUSED });
  const isAtRest = createIdleWatch(atRestMs, await look());
  do {
    await sleep(atRestMs / LOOKS_AT_REST, undefined, { signal }).catch(() => undefined);
  } while (!signal.aborted && !isAtRest(await look()));
}
