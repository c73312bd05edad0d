import { comeBackLater } from './retry-after.ts';

/** Part of a budget that one piece of work holds. */
export interface Holding {
  /**
   * Sets how many units it holds from now on. Less is never refused. Where there is no room for more, it throws, and
   * changes nothing: RATE_LIMITED where the key would have to give way to others, OVERLOADED where the whole is used up.
   */
  hold(units: number): void;
  /** Gives all of it back; safe to repeat. */
  release(): void;
}

/** Bytes, or places, that several keys (projects) share in one process. */
export interface SharedBudget {
  open(key: string): Holding;
  /** Held by all keys together, and by what is outside of them. */
  readonly usedUnits: number;
  /** The most that one key can ever hold; no more than this should be let come near. */
  readonly mostUnitsOfOne: number;
}

export interface SharedBudgetOptions {
  maxUnits: number;
  /** Told to those who are refused. */
  retryAfterMs: number;
  /** Told to a key that has to give way. */
  shareMessage: string;
  /** Told where the whole is used up. */
  wholeMessage: string;
  /** Units that are used up beside what the keys hold. */
  otherUnits?(): number;
  /** Monotonic, in milliseconds. */
  nowMs?(): number;
}

/** A quarter each: four keys that all want as much as they can get are served alike, and a fifth gets what they leave. */
const SHARES = 4;
/** Times the pause that it was asked for: whoever does as it is told is back by then. */
const WAITING_PAUSES = 2;

/**
 * A budget in which no key starves another. Each key has a share, a quarter of the whole, and within it is refused only
 * where the whole is used up. More than its share it gets as long as a quarter of the whole is still free afterwards, and
 * while no other key waits, which is one that was refused within its share and has not been served since. So whoever
 * comes new finds its whole share free, however much one other holds; and where several want more than there is, what
 * the greedy give back goes to the others. To be charged as units come into use, never by what somebody announces.
 */
export function createSharedBudget(options: SharedBudgetOptions): SharedBudget {
  const { maxUnits, retryAfterMs, otherUnits = () => 0, nowMs = () => performance.now() } = options;
  const shareUnits = Math.max(1, Math.floor(maxUnits / SHARES));
  const mostUnitsOfOne = Math.max(shareUnits, maxUnits - shareUnits);
  const unitsByKey = new Map<string, number>();
  /** Until when a key that was refused within its share counts as waiting: in this order, since all wait equally long. */
  const waitingUntilMs = new Map<string, number>();
  let heldUnits = 0;

  function usedUnits(): number {
    return heldUnits + otherUnits();
  }

  function admit(key: string, moreUnits: number): void {
    const ofKey = (unitsByKey.get(key) ?? 0) + moreUnits;
    const ofAll = usedUnits() + moreUnits;
    if (ofKey > shareUnits) {
      if (ofAll > maxUnits - shareUnits || doesAnotherWait(key)) throw refusal('RATE_LIMITED', options.shareMessage);
    } else if (ofAll > maxUnits) {
      wait(key);
      throw refusal('OVERLOADED', options.wholeMessage);
    }
    waitingUntilMs.delete(key);
  }

  function refusal(code: 'RATE_LIMITED' | 'OVERLOADED', message: string): Error {
    return comeBackLater(code, message, retryAfterMs);
  }

  function wait(key: string): void {
    forgetThoseGone();
    waitingUntilMs.delete(key);
    waitingUntilMs.set(key, nowMs() + WAITING_PAUSES * retryAfterMs);
  }

  function doesAnotherWait(key: string): boolean {
    forgetThoseGone();
    return waitingUntilMs.size > (waitingUntilMs.has(key) ? 1 : 0);
  }

  function forgetThoseGone(): void {
    const now = nowMs();
    for (const [key, untilMs] of waitingUntilMs) {
      if (untilMs > now) return;
      waitingUntilMs.delete(key);
    }
  }

  function change(key: string, byUnits: number): void {
    heldUnits += byUnits;
    const units = (unitsByKey.get(key) ?? 0) + byUnits;
    if (units === 0) unitsByKey.delete(key);
    else unitsByKey.set(key, units);
  }

  return {
    mostUnitsOfOne,
    get usedUnits() {
      return usedUnits();
    },
    open(key) {
      let ownUnits = 0;
      const hold = (units: number) => {
        if (units > ownUnits) admit(key, units - ownUnits);
        change(key, units - ownUnits);
        ownUnits = units;
      };
      return { hold, release: () => hold(0) };
    },
  };
}
