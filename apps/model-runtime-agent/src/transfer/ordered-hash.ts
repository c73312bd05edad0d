import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChunkJournal } from './chunk-journal.ts';

/** Hash of a file whose chunks arrive in any order, computed while they arrive. */
export interface OrderedHash {
  /** Takes a chunk that is written and recorded; its bytes are not kept. */
  offer(index: number, bytes: Buffer): Promise<void>;
  /** Hash of the whole file, when every chunk is there. */
  digest(): Promise<string>;
}

const SLICE_BYTES = 1024 * 1024;

/** Hashes a chunk that arrives in its turn from memory; a chunk that arrived too early is read again in its turn. */
export function createOrderedHash(data: FileHandle, journal: ChunkJournal, signal: AbortSignal): OrderedHash {
  const hash = createHash('sha256');
  let next = 0;
  let queue: Promise<void> = Promise.resolve();
  let scratch: Buffer | undefined;

  /** Hashes in slices, so that the event loop gets its turn. */
  async function update(bytes: Buffer): Promise<void> {
    for (let offset = 0; offset < bytes.length; offset += SLICE_BYTES) {
      hash.update(bytes.subarray(offset, offset + SLICE_BYTES));
      await nextTurn();
    }
  }

  async function advance(): Promise<void> {
    for (let chunk = journal.chunks[next]; chunk !== undefined && journal.isDone(next); chunk = journal.chunks[next]) {
      signal.throwIfAborted();
      const length = chunk.end - chunk.start;
      scratch ??= Buffer.allocUnsafe(length);
      const { bytesRead } = await data.read(scratch, 0, length, chunk.start);
      await update(scratch.subarray(0, bytesRead));
      next += 1;
    }
  }

  function inTurn(work: () => Promise<void>): Promise<void> {
    const result = queue.then(work);
    // The caller gets this failure; later calls must not fail with it again.
    queue = result.catch(() => undefined);
    return result;
  }

  return {
    offer: (index, bytes) =>
      inTurn(async () => {
        if (index === next) {
          await update(bytes);
          next += 1;
        }
        await advance();
      }),
    async digest() {
      await inTurn(advance);
      return hash.digest('hex');
    },
  };
}
