/**
 * Cuts entries into as few parts as `maxSize` asks for, each entry whole in one of them, in their order. A part is
 * larger than `maxSize` only where a single entry is. `sizeOf` gives an entry's size, in the unit of `maxSize`.
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
