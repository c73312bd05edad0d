import { comeBackLater } from './retry-after.ts';

/** Part of a budget that one piece of work holds. */
export interface Holding {
  /**
   * Sets the number of units to hold from now on. A reduction always succeeds. If there is no room for more, it throws
   * and changes nothing: RATE_LIMITED if the key would have to yield to others, OVERLOADED if the whole budget is used
   * up.
   */
  hold(units: number): void;
  /** Gives everything back; safe to repeat. */
  release(): void;
}

/** Bytes or places that several keys (projects) share in one process. */
export interface SharedBudget {
  open(key: string): Holding;
  /** Units held by all keys together, and used outside of them. */
  readonly usedUnits: number;
  /** Maximum that one key can ever hold; larger requests should be rejected in advance. */
  readonly mostUnitsOfOne: number;
}

export interface SharedBudgetOptions {
  maxUnits: number;
  /** Pause reported to those that are refused. */
  retryAfterMs: number;
  /** Message for a key that has to yield. */
  shareMessage: string;
  /** Message if the whole budget is used up. */
  wholeMessage: string;
  /** Units that are used up outside of the keys' holdings. */
  otherUnits?(): number;
  /** Monotonic time in milliseconds. */
  nowMs?(): number;
}

/** Number of shares: four keys that all want as much as possible are served equally, and a fifth gets the remainder. */
const SHARES = 4;
/** Multiple of the requested pause for which a key counts as waiting; a caller that obeys is back by then. */
const WAITING_PAUSES = 2;

/**
 * Creates a budget in which no key starves another. Each key has a share, a quarter of the whole, and within it is
 * refused only if the whole is used up. A key gets more than its share if a quarter of the whole is still free
 * afterwards and no other key is waiting. A key is waiting if it was refused within its share and has not been served
 * since. A new key thus finds its whole share free, however much another key holds; and if several keys want more than
 * there is, units that greedy keys give back go to the others. Charge units as they come into use, never by an
 * announced size.
 */
export function createSharedBudget(options: SharedBudgetOptions): SharedBudget {
  const { maxUnits, retryAfterMs, otherUnits = () => 0, nowMs = () => performance.now() } = options;
  const shareUnits = Math.max(1, Math.floor(maxUnits / SHARES));
  const mostUnitsOfOne = Math.max(shareUnits, maxUnits - shareUnits);
  const unitsByKey = new Map<string, number>();
  /**
   * Time until which a key that was refused within its share counts as waiting: in this order, because all wait equally
   * long.
   */
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
