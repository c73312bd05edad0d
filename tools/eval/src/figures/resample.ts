/** A sequence of numbers from 0 to 1, the same for the same seed: figures can be had again. */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Draws as many groups as there are, with replacement, again and again: what a figure would be for other tasks. */
export function resampled<Item, Figure>(
  groups: readonly (readonly Item[])[],
  figureOf: (items: readonly Item[]) => Figure,
  count: number,
): Figure[] {
  const random = randomNumbers(7);
  return Array.from({ length: count }, () => {
    const drawn = groups.map(() => groups[Math.floor(random() * groups.length)] ?? []);
    return figureOf(drawn.flat());
  });
}

/** The middle 95 in a hundred of some figures. */
export function interval(figures: readonly number[]): readonly [number, number] {
  const sorted = figures.filter((figure) => !Number.isNaN(figure)).sort((left, right) => left - right);
  const at = (share: number): number => rounded(sorted[Math.floor(share * (sorted.length - 1))] ?? NaN);
  return [at(0.025), at(0.975)];
}

/** ROC AUC: how often a failure scores above a success; NaN where one of the two is missing. */
export function rocAuc(items: readonly { readonly score: number; readonly failed: boolean }[]): number {
  const ranked = items.toSorted((left, right) => left.score - right.score);
  let failures = 0;
  let rankSum = 0;
  for (let start = 0; start < ranked.length;) {
    let end = start;
    while (end < ranked.length && ranked[end]?.score === ranked[start]?.score) end += 1;
    const middle = (start + 1 + end) / 2;
    for (const { failed } of ranked.slice(start, end)) {
      if (!failed) continue;
      failures += 1;
      rankSum += middle;
    }
    start = end;
  }
  const successes = ranked.length - failures;
  return (rankSum - (failures * (failures + 1)) / 2) / (failures * successes);
}

/** The items by the group that they belong to. */
export function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
}

export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
