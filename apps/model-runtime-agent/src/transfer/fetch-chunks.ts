import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type ByteSource, SourceError } from '@clew/model-runtime';
import type { Chunk, ChunkJournal } from './chunk-journal.ts';
import type { OrderedHash } from './ordered-hash.ts';
import { RangesIgnoredError, readRange, withRetries, type RetryPolicy } from './read-range.ts';

export interface ChunksRequest {
  source: ByteSource;
  data: FileHandle;
  journal: ChunkJournal;
  /** Hash that receives every written chunk. */
  hash: OrderedHash | undefined;
  connections: number;
  retry: RetryPolicy;
  signal: AbortSignal;
  /** Called with the change in the number of bytes that are there; negative if some were lost. */
  onBytes(change: number): void;
}

/** Fetches every chunk that the journal lacks, in parallel ranges if the source supports them. */
export async function fetchChunks(request: ChunksRequest): Promise<void> {
  const missing = request.journal.chunks.filter(({ index }) => !request.journal.isDone(index));
  if (missing.length === 0) return;
  try {
    await fetchInParallel(request, missing);
  } catch (error) {
    if (!(error instanceof RangesIgnoredError)) throw error;
    await fetchInOrder(request);
  }
}

async function fetchInParallel(request: ChunksRequest, missing: readonly Chunk[]): Promise<void> {
  const { source, retry, onBytes } = request;
  const failed = new AbortController();
  const signal = AbortSignal.any([request.signal, failed.signal]);
  const pending = missing.values();
  const connection = async () => {
    const buffer = Buffer.allocUnsafeSlow(Math.max(...missing.map(({ start, end }) => end - start)));
    for (const chunk of pending) {
      const target = buffer.subarray(0, chunk.end - chunk.start);
      await readRange({ source, start: chunk.start, target, retry, signal, onBytes });
      await keep(request, chunk, target);
    }
  };
  const connections = Array.from({ length: Math.min(request.connections, missing.length) }, async () => {
    try {
      await connection();
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  });
  const outcomes = await Promise.allSettled(connections);
  request.signal.throwIfAborted();
  if (outcomes.some(({ status }) => status === 'rejected')) throw failed.signal.reason;
}

/** Fetches in order. A source without ranges starts at the first byte each time; chunks already there are skipped. */
async function fetchInOrder({ source, journal, retry, signal, ...request }: ChunksRequest): Promise<void> {
  const doneCount = () => journal.chunks.filter(({ index }) => journal.isDone(index)).length;
  await withRetries(retry, signal, async () => {
    const before = doneCount();
    try {
      const { body } = await source.open(0, source.sizeBytes, signal);
      for await (const { chunk, bytes } of inChunks(body, journal.chunks)) {
        if (journal.isDone(chunk.index)) continue;
        request.onBytes(bytes.length);
        await keep({ ...request, journal }, chunk, bytes);
      }
      return undefined;
    } catch (error) {
      return { progressed: doneCount() > before, error };
    }
  });
}

/** Cuts a body into chunks; the bytes of one are overwritten when the next is requested. */
async function* inChunks(body: Readable, chunks: readonly Chunk[]): AsyncGenerator<{ chunk: Chunk; bytes: Buffer }> {
  const buffer = Buffer.allocUnsafeSlow(Math.max(...chunks.map(({ start, end }) => end - start)));
  const pieces = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let piece: Buffer = Buffer.alloc(0);
  for (const chunk of chunks) {
    const length = chunk.end - chunk.start;
    for (let filled = 0; filled < length;) {
      if (piece.length === 0) {
        const read = await pieces.next();
        if (read.done === true) throw new SourceError('The connection ended early');
        piece = read.value;
      }
      const taken = piece.copy(buffer, filled, 0, Math.min(piece.length, length - filled));
      piece = piece.subarray(taken);
      filled += taken;
    }
    yield { chunk, bytes: buffer.subarray(0, length) };
  }
  if (piece.length > 0 || (await pieces.next()).done !== true) {
    throw new SourceError('The source sent more than it announced');
  }
}

type Keeping = Pick<ChunksRequest, 'data' | 'journal' | 'hash'>;

/** Writes the bytes first, then the journal entry: a kill between the two loses only this chunk. */
async function keep({ data, journal, hash: ordered }: Keeping, { index, start }: Chunk, bytes: Buffer): Promise<void> {
  const written = writeAll(data, bytes, start);
  // The checksum is computed while the write is in progress.
  const checksum = crc32(bytes);
  await written;
  await journal.add(index, checksum);
  await ordered?.offer(index, bytes);
}

/** Writes all bytes: a write to a nearly full disk may be short without an error. */
async function writeAll(data: FileHandle, bytes: Buffer, start: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    written += (await data.write(bytes, written, bytes.length - written, start + written)).bytesWritten;
  }
}
