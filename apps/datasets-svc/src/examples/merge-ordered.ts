/** Merges two ordered sequences into one; of items that compare equal, those of `first` come first. */
export async function* mergeOrdered<Item>(
  first: AsyncIterable<Item>,
  second: AsyncIterable<Item>,
  compare: (a: Item, b: Item) => number,
): AsyncGenerator<Item> {
  const left = first[Symbol.asyncIterator]();
  const right = second[Symbol.asyncIterator]();
  try {
    let a = await left.next();
    let b = await right.next();
    for (;;) {
      if (a.done !== true && (b.done === true || compare(a.value, b.value) <= 0)) {
        yield a.value;
        a = await left.next();
      } else if (b.done !== true) {
        yield b.value;
        b = await right.next();
      } else return;
    }
  } finally {
    await Promise.all([left.return?.(), right.return?.()]);
  }
}
