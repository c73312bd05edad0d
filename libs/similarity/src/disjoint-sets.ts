/**
 * Sets of numbers that can be joined but not split, in four bytes per number: union-find with path halving (Tarjan, van
 * Leeuwen: "Worst-case Analysis of Set Union Algorithms", 1984).
 */
export class DisjointSets {
  readonly #parents: Int32Array;

  constructor(length: number) {
    this.#parents = new Int32Array(length);
    for (let number = 0; number < length; number += 1) this.#parents[number] = number;
  }

  /** Returns the representative of the set: its smallest number. */
  find(number: number): number {
    const parents = this.#parents;
    let root = number;
    for (let parent = parents[root] as number; parent !== root; parent = parents[root] as number) {
      // Each step halves the path, so that chains stay short.
      const grandparent = parents[parent] as number;
      parents[root] = grandparent;
      root = grandparent;
    }
    return root;
  }

  join(left: number, right: number): void {
    const leftRoot = this.find(left);
    const rightRoot = this.find(right);
    if (leftRoot < rightRoot) this.#parents[rightRoot] = leftRoot;
    else this.#parents[leftRoot] = rightRoot;
  }
}
