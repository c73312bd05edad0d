/**
 * Joins items that arrive during a write into the next write, so that many small writes cost few round trips. If a
 * write of several items fails, each item is written alone, so that only faulty items fail: a failed write must be safe
 * to repeat.
 */
export function createBatcher<Item>(write: (items: readonly Item[]) => Promise<void>): (item: Item) => Promise<void> {
  let next: { items: Item[]; written: Promise<Map<Item, unknown>> } | undefined;
  let underWay: Promise<unknown> = Promise.resolve();

  async function writeAfter(earlier: Promise<unknown>, items: Item[]): Promise<Map<Item, unknown>> {
    await earlier;
    next = undefined;
    return await writeOrSingle(items);
  }

  /** Resolves with the items that failed and their errors. */
  async function writeOrSingle(items: readonly Item[]): Promise<Map<Item, unknown>> {
    try {
      await write(items);
      return new Map();
    } catch (error) {
      const [only, ...others] = items;
      if (only !== undefined && others.length === 0) return new Map([[only, error]]);
    }
    const failures = new Map<Item, unknown>();
    for (const item of items) for (const entry of await writeOrSingle([item])) failures.set(...entry);
    return failures;
  }

  return async (item) => {
    if (next === undefined) {
      const items: Item[] = [];
      next = { items, written: writeAfter(underWay, items) };
      underWay = next.written;
    }
    next.items.push(item);
    const failures = await next.written;
    if (failures.has(item)) throw failures.get(item);
  };
}
