/** Calls that wait for more of their kind. */
export interface Gathered<Item> {
  readonly add: (item: Item) => void;
  readonly end: () => void;
}

/** Time in which things that come together are waited for. */
const TOGETHER_MS = 50;

/** Takes things that come in any number, together and at most once in each interval. */
export function gathered<Item>(take: (items: readonly Item[]) => void, intervalMs: number): Gathered<Item> {
  let waiting: Item[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let takenAtMs = -intervalMs;
  const turn = () => {
    const items = waiting;
    waiting = [];
    timer = undefined;
    takenAtMs = performance.now();
    take(items);
  };
  return {
    add(item) {
      waiting.push(item);
      timer ??= setTimeout(turn, Math.max(TOGETHER_MS, takenAtMs + intervalMs - performance.now()));
    },
    end: () => clearTimeout(timer),
  };
}
