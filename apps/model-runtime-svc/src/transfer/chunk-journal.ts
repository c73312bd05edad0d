import { createHash } from 'node:crypto';
import { open, readFile, rename, writeFile, type FileHandle } from 'node:fs/promises';

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

/** Which chunks of a file were fetched, with the hash of each. It outlives the process and trusts no disk. */
export interface ChunkJournal {
  readonly chunks: readonly Chunk[];
  isDone(index: number): boolean;
  /** Notes a chunk whose bytes have been written. */
  add(index: number, sha256: string): Promise<void>;
  close(): Promise<void>;
}

const ENTRY = /^(\d{1,10}) ([0-9a-f]{64})$/;

export function chunksOf({ sizeBytes, chunkBytes }: Pick<JournalHeader, 'sizeBytes' | 'chunkBytes'>): Chunk[] {
  return Array.from({ length: Math.ceil(sizeBytes / chunkBytes) }, (_, index) => ({
    index,
    start: index * chunkBytes,
    end: Math.min((index + 1) * chunkBytes, sizeBytes),
  }));
}

/**
 * Opens the journal of a file. Entries that an earlier process left are believed only where the bytes in the file still
 * have the hash that they had when they came; a journal of other content is begun anew, and so is its file.
 */
export async function openJournal(path: string, data: FileHandle, header: JournalHeader): Promise<ChunkJournal> {
  const chunks = chunksOf(header);
  const entries = await entriesOf(path, header);
  const done = new Map<number, string>();
  const buffer = Buffer.allocUnsafe(Math.min(header.chunkBytes, header.sizeBytes));
  for (const [index, sha256] of entries) {
    const chunk = chunks[index];
    if (chunk !== undefined && (await hashOfChunk(data, chunk, buffer)) === sha256) done.set(index, sha256);
  }
  await data.truncate(header.sizeBytes);
  // Written anew rather than continued: a line that a kill cut short would spoil the next one.
  const lines = [...done].map(([index, sha256]) => `${index} ${sha256}\n`);
  await writeFile(`${path}.new`, `${JSON.stringify(header)}\n${lines.join('')}`);
  await rename(`${path}.new`, path);
  const journal = await open(path, 'a');
  return {
    chunks,
    isDone: (index) => done.has(index),
    async add(index, sha256) {
      done.set(index, sha256);
      await journal.write(`${index} ${sha256}\n`);
    },
    close: () => journal.close(),
  };
}

/** The entries of a journal of the same content, as far as they can be read. */
async function entriesOf(path: string, header: JournalHeader): Promise<Map<number, string>> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const [first = '', ...lines] = text.split('\n');
  const found = new Map<number, string>();
  if (first !== JSON.stringify(header)) return found;
  for (const line of lines) {
    const [, index, sha256] = ENTRY.exec(line) ?? [];
    if (index !== undefined && sha256 !== undefined) found.set(Number(index), sha256);
  }
  return found;
}

async function hashOfChunk(data: FileHandle, { start, end }: Chunk, buffer: Buffer): Promise<string | undefined> {
  const { bytesRead } = await data.read(buffer, 0, end - start, start);
  if (bytesRead !== end - start) return undefined;
  return createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('hex');
}
