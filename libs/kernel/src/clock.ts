/** Where the time comes from; passed in, so that tests decide it. */
export interface Clock {
  /** Unix epoch milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
