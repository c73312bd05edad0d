const HOUR_MS = 3_600_000;

/** Calls that a provider allows in an hour. */
export class CallBudget {
  readonly limit: number;
  #used = 0;
  #startMs: number;
  readonly #now: () => number;

  constructor(now: () => number, limit = Number.POSITIVE_INFINITY) {
    this.#now = now;
    this.limit = limit;
    this.#startMs = now();
  }

  /** Counts a call; false if there is none left until the window is over. */
  take(): boolean {
    if (this.#now() >= this.resetMs) [this.#used, this.#startMs] = [0, this.#now()];
    if (this.#used >= this.limit) return false;
    this.#used += 1;
    return true;
  }

  get remaining(): number {
    return Math.min(5_000, this.limit - this.#used);
  }

  get resetMs(): number {
    return this.#startMs + HOUR_MS;
  }
}
