/** Sequence of random numbers from 0 to 1, which depends only on the seed: figures are reproducible. */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Bootstrap: repeatedly draws as many groups as there are, with replacement, to estimate a figure for other tasks. */
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

/** Central 95% of the figures. */
export function interval(figures: readonly number[]): readonly [number, number] {
  const sorted = figures.filter((figure) => !Number.isNaN(figure)).sort((left, right) => left - right);
  const at = (share: number): number => rounded(sorted[Math.floor(share * (sorted.length - 1))] ?? NaN);
  return [at(0.025), at(0.975)];
}

/** ROC AUC: how often a failure scores above a success; NaN without failures or without successes. */
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

/** Groups items by key. */
export function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
}

export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
