import { open, readFile, rename, writeFile, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** Identity of the content that the chunks belong to. */
export interface JournalHeader {
  identity: string;
  sizeBytes: number;
  chunkBytes: number;
}

export interface Chunk {
  index: number;
  start: number;
  /** Exclusive end. */
  end: number;
}

/**
 * Journal of the fetched chunks of a file, with the CRC-32 of each. It outlives the process and does not trust the
 * disk: the checksum detects damage to a chunk by a kill or by the disk. The file itself is verified by its hash.
 */
export interface ChunkJournal {
  readonly chunks: readonly Chunk[];
  isDone(index: number): boolean;
  /** Records a chunk whose bytes have been written, and their CRC-32. */
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
 * Opens the journal of a file. Entries of an earlier process count only if the bytes in the file still have their
 * recorded checksum. A journal of other content is started anew, and so is its file.
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
  // The journal is rewritten, not appended to: a line cut short by a kill would corrupt the next one.
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

/**
 * Formats a line. Its last character exposes a line cut short by a kill, whose number would otherwise still be valid.
 */
function lineOf([index, checksum]: readonly [number, number]): string {
  return `${index} ${checksum};\n`;
}

/** Reads the entries of a journal of the same content, as far as they are readable. */
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
