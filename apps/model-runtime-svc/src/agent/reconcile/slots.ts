export interface Slots {
  /** Resolves with what gives the slot back, once one is free or the signal is aborted. */
  take(signal: AbortSignal): Promise<() => void>;
}

/** So many at a time, the others in the order in which they came. */
export function createSlots(count: number): Slots {
  let free = count;
  const waiting = new Set<() => void>();

  function giveBack(): void {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  }

  return {
    async take(signal) {
      if (free > 0) free -= 1;
      else {
        const { promise, resolve } = Promise.withResolvers<boolean>();
        const taken = () => {
          waiting.delete(taken);
          resolve(true);
        };
        const leave = () => {
          if (waiting.delete(taken)) resolve(false);
        };
        waiting.add(taken);
        if (signal.aborted) leave();
        else signal.addEventListener('abort', leave, { once: true });
        if (!(await promise)) return () => undefined;
      }
      let given = false;
      return () => {
        if (!given) giveBack();
        given = true;
      };
    },
  };
}
