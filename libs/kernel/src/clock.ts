/** Source of the time; passed in, so that tests can control it. */
export interface Clock {
  /** Unix epoch milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
