/** Reads all records of a file. */
export async function readAll<Item>(
  reader: { cut(chunk: Buffer): Iterable<Item>; end(): Iterable<Item> },
  chunks: AsyncIterable<Buffer>,
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const chunk of chunks) items.push(...reader.cut(chunk));
  return [...items, ...reader.end()];
}

/** Yields a file in pieces of the given sizes, repeated. */
export async function* piecesOf(file: Buffer | string, sizes: readonly number[] = [65_536]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(file);
  let start = 0;
  for (let turn = 0; start < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    yield bytes.subarray(start, start + size);
    start += size;
  }
}
