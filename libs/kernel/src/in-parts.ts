/**
 * Splits entries into the fewest parts that `maxSize` allows, in order, without splitting an entry. A part exceeds
 * `maxSize` only if a single entry does. `sizeOf` returns an entry's size in the unit of `maxSize`.
 */
export function inParts<Entry>(entries: Iterable<Entry>, sizeOf: (entry: Entry) => number, maxSize: number): Entry[][] {
  const parts: Entry[][] = [];
  let room = 0;
  for (const entry of entries) {
    const size = sizeOf(entry);
    const last = parts.at(-1);
    if (last !== undefined && size <= room) {
      last.push(entry);
      room -= size;
    } else {
      parts.push([entry]);
      room = maxSize - size;
    }
  }
  return parts;
}
