import { open, readFile, rename, writeFile, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** What the chunks belong to. */
export interface JournalHeader {
  identity: string;
  sizeBytes: number;
  chunkBytes: number;
}

export interface Chunk {
  index: number;
  start: number;
  /** Exclusive. */
  end: number;
}

/**
 * Which chunks of a file were fetched, with the CRC-32 of each. It outlives the process and trusts no disk: the checksum
 * finds what a kill or the disk did to a chunk, and is not what the file is verified by.
 */
export interface ChunkJournal {
  readonly chunks: readonly Chunk[];
  isDone(index: number): boolean;
  /** Notes a chunk whose bytes have been written, and their CRC-32. */
  add(index: number, checksum: number): Promise<void>;
  close(): Promise<void>;
}

const ENTRY = /^(\d{1,10}) (\d{1,10});$/;

export function chunksOf({ sizeBytes, chunkBytes }: Pick<JournalHeader, 'sizeBytes' | 'chunkBytes'>): Chunk[] {
  return Array.from({ length: Math.ceil(sizeBytes / chunkBytes) }, (_, index) => ({
    index,
    start: index * chunkBytes,
    end: Math.min((index + 1) * chunkBytes, sizeBytes),
  }));
}

/**
 * Opens the journal of a file. Entries that an earlier process left are believed only where the bytes in the file still
 * have the checksum that they had when they came; a journal of other content is begun anew, and so is its file.
 */
export async function openJournal(path: string, data: FileHandle, header: JournalHeader): Promise<ChunkJournal> {
  const chunks = chunksOf(header);
  const entries = await entriesOf(path, header);
  const done = new Map<number, number>();
  const buffer = Buffer.allocUnsafe(Math.min(header.chunkBytes, header.sizeBytes));
  for (const [index, checksum] of entries) {
    const chunk = chunks[index];
    if (chunk !== undefined && (await checksumOf(data, chunk, buffer)) === checksum) done.set(index, checksum);
  }
  await data.truncate(header.sizeBytes);
  // Written anew rather than continued: a line that a kill cut short would spoil the next one.
  const lines = [...done].map(lineOf);
  await writeFile(`${path}.new`, `${JSON.stringify(header)}\n${lines.join('')}`);
  await rename(`${path}.new`, path);
  const journal = await open(path, 'a');
  return {
    chunks,
    isDone: (index) => done.has(index),
    async add(index, checksum) {
      done.set(index, checksum);
      await journal.write(lineOf([index, checksum]));
    },
    close: () => journal.close(),
  };
}

/** Its last character tells a line that a kill cut short, whose number would still be one. */
function lineOf([index, checksum]: readonly [number, number]): string {
  return `${index} ${checksum};\n`;
}

/** The entries of a journal of the same content, as far as they can be read. */
async function entriesOf(path: string, header: JournalHeader): Promise<Map<number, number>> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const [first = '', ...lines] = text.split('\n');
  const found = new Map<number, number>();
  if (first !== JSON.stringify(header)) return found;
  for (const line of lines) {
    const [, index, checksum] = ENTRY.exec(line) ?? [];
    if (index !== undefined && checksum !== undefined) found.set(Number(index), Number(checksum));
  }
  return found;
}

async function checksumOf(data: FileHandle, { start, end }: Chunk, buffer: Buffer): Promise<number | undefined> {
  const { bytesRead } = await data.read(buffer, 0, end - start, start);
  if (bytesRead !== end - start) return undefined;
  return crc32(buffer.subarray(0, bytesRead));
}
