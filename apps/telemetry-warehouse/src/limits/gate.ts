/** Admits work while the total weight of the work in progress is at most the capacity; the rest waits in order. */
export type Gate = <Result>(weight: number, work: () => Promise<Result>) => Promise<Result>;

/** Creates a gate. Work that weighs more than the capacity runs alone. */
export function createGate(capacity: number): Gate {
  const waiting: { weight: number; begin: () => void }[] = [];
  let free = capacity;

  function admit(): void {
    for (let next = waiting[0]; next !== undefined && next.weight <= free; next = waiting[0]) {
      free -= next.weight;
      waiting.shift();
      next.begin();
    }
  }

  return async (weight, work) => {
    const held = Math.min(weight, capacity);
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push({ weight: held, begin: resolve });
    admit();
    await promise;
    try {
      return await work();
    } finally {
      free += held;
      admit();
    }
  };
}
