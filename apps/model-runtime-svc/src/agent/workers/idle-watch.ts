import type { Resource } from '../../resources/index.ts';

/** What a look at a service has found. */
export interface Look {
  nowMs: number;
  /** Processor time of the engine so far, in hundredths of a second. */
  ticks: number;
  /** Undefined where the record could not be read. */
  resource: Pick<Resource, 'lastUsedAt' | 'probe'> | undefined;
}

/** Of 100 a second: what an engine spends on doing nothing stays below. */
const BUSY_TICKS_PER_SECOND = 5;

/**
 * Tells when nobody has used a service for its time. Who calls it notes so when the call begins; during a long answer the
 * processor time tells that it is at work. A time in which it was probed says nothing: the probe's work is no use, and
 * whether there was other work is seen at the next look.
 */
export function createIdleWatch(idleTimeoutMs: number, start: Pick<Look, 'nowMs' | 'ticks'>): (look: Look) => boolean {
  let { nowMs: lookedAtMs, ticks } = start;
  let busyAtMs = lookedAtMs;
  return (look) => {
    const { nowMs, resource } = look;
    const passedMs = nowMs - lookedAtMs;
    const probe = resource?.probe ?? undefined;
    const wasProbed = probe !== undefined && probe.fromMs <= nowMs && probe.untilMs >= lookedAtMs;
    const isBusy = look.ticks - ticks > (BUSY_TICKS_PER_SECOND * passedMs) / 1_000;
    lookedAtMs = nowMs;
    ticks = look.ticks;
    if (wasProbed) return false;
    if (isBusy) busyAtMs = nowMs;
    return resource !== undefined && nowMs - Math.max(busyAtMs, resource.lastUsedAt) >= idleTimeoutMs;
  };
}
