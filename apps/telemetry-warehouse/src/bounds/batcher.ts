/**
 * Joins what comes while a write is under way into the next one, so that many small writes cost few round trips. A
 * write that fails fails for all that is in it.
 */
export function createBatcher<Item>(write: (items: readonly Item[]) => Promise<void>): (item: Item) => Promise<void> {
  let next: { items: Item[]; written: Promise<void> } | undefined;
  let underWay: Promise<unknown> = Promise.resolve();

  async function writeAfter(earlier: Promise<unknown>, items: Item[]): Promise<void> {
    await earlier;
    next = undefined;
    await write(items);
  }

  return (item) => {
    if (next === undefined) {
      const items: Item[] = [];
      next = { items, written: writeAfter(underWay, items) };
      underWay = next.written.catch(() => undefined);
    }
    next.items.push(item);
    return next.written;
  };
}
