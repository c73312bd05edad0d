/** An item with the group that something gave it, and the one that it is known to belong to. */
export interface GroupedItem {
  readonly given: string;
  readonly known: string;
}

/** The share of items whose given group holds exactly the items of their known group. */
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
