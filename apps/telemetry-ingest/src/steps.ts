/**
 * Work that runs until it has something to wait for, which it yields. While there is nothing to wait for, it is as fast
 * as a plain function; an async function would wait at every step.
 */
export type Steps<Result = void> = Generator<Promise<unknown>, Result, void>;

export async function runSteps<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await step.value;
  }
}

/** Maximum time for which work may keep the event loop to itself. */
const MAX_BUSY_MS = 20;

/** Lets other work have its turn in the middle of long work. */
export class Pace {
  #turnEndsMs = performance.now() + MAX_BUSY_MS;

  /** Returns a promise to await if the turn is over; else undefined. */
  pause(): Promise<void> | undefined {
    if (performance.now() < this.#turnEndsMs) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        this.#turnEndsMs = performance.now() + MAX_BUSY_MS;
        resolve();
      });
    });
  }
}
