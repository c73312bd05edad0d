/** Item with its assigned group and its true group. */
export interface GroupedItem {
  readonly given: string;
  readonly known: string;
}

/** Share of items whose assigned group holds exactly the items of their true group. */
export function groupingAccuracy(items: readonly GroupedItem[]): number {
  const byGiven = Map.groupBy(items, ({ given }) => given);
  const knownSizes = new Map([...Map.groupBy(items, ({ known }) => known)].map(([known, own]) => [known, own.length]));
  let right = 0;
  for (const group of byGiven.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const isOneGroup = group.every(({ known }) => known === first.known);
    if (isOneGroup && knownSizes.get(first.known) === group.length) right += group.length;
  }
  return right / items.length;
}
