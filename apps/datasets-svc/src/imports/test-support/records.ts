import { asUtf8 } from '../as-utf8.ts';
import type { ImportRecord, RecordReader } from '../import-record.ts';

/** What a reader makes of a file that comes in pieces of the given sizes, over and over. */
export async function readAll(
  reader: RecordReader,
  file: Buffer | string,
  pieceSizes: readonly number[] = [65_536],
): Promise<ImportRecord[]> {
  const records: ImportRecord[] = [];
  for await (const chunk of asUtf8(piecesOf(Buffer.from(file), pieceSizes))) records.push(...reader.cut(chunk));
  return [...records, ...reader.end()];
}

export async function* piecesOf(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let start = 0;
  for (let turn = 0; start < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    yield bytes.subarray(start, start + size);
    start += size;
  }
}
