/**
 * Work that goes on by itself until it has something to wait for, which it yields. As fast as a plain function while
 * there is nothing to wait for, where an asynchronous one would wait at every step.
 */
export type Steps<Result = void> = Generator<Promise<unknown>, Result, void>;

export async function runSteps<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await step.value;
  }
}

/** How long work may keep the event loop to itself. */
const MAX_BUSY_MS = 20;

/** Lets others have their turn in the middle of long work. */
export class Pace {
  #turnEndsMs = performance.now() + MAX_BUSY_MS;

  /** What to wait for, where it is time to; else undefined. */
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
