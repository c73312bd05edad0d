import type { Resource } from '@clew/model-runtime';

/** Result of one look at a service. */
export interface Look {
  nowMs: number;
  /** Processor time of the engine so far, in hundredths of a second. */
  ticks: number;
  /** Undefined if the record could not be read. */
  resource: Pick<Resource, 'lastUsedAt' | 'probe'> | undefined;
}

/** Threshold, of 100 ticks per second, that an idle engine stays below. */
const BUSY_TICKS_PER_SECOND = 5;

/**
 * Detects that nobody has used a service for its idle time. Callers record their use when a call begins; during a long
 * answer, processor time shows that the engine works. An interval with a probe is inconclusive: the probe's work does
 * not count as use, and other work shows at the next look.
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
