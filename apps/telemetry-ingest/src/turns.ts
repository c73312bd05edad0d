/** Lets so many have their turn at a time; the others wait in the order in which they came. */
export interface Turns {
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createTurns(maxAtATime: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running >= maxAtATime) {
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.push(resolve);
        // Whoever ends hands its place over.
        await promise;
      } else {
        running += 1;
      }
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
