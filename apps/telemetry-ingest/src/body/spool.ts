import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { AppError, comeBackLater, createSharedBudget, type Holding } from '@clew/kernel';
import type { RequestBytes } from './byte-budget.ts';
import { CHUNK_BYTES, type Body } from './body.ts';

/** Body that is written to a file while it arrives, and read from there. */
export interface Spool extends Body {
  write(chunk: Buffer): Promise<void>;
}

export interface Spools {
  /**
   * Opens a spool. Throws OVERLOADED if the maximum number is open, RATE_LIMITED if the project has its share of them.
   */
  open(projectId: string, held: RequestBytes): Promise<Spool>;
  readonly openCount: number;
}

export interface SpoolOptions {
  directory: string;
  maxOpen: number;
}

const FILE_PREFIX = 'clew-ingest-spool-';
const OWNER_ONLY = 0o600;
const RETRY_AFTER_MS = 5_000;

const WINDOW_BYTES = 256 * 1024;

/**
 * Temporary files for bodies that are too large for memory. A file loses its name as soon as it is open, so the system
 * reclaims it however the process ends. Names left by a process that died first are removed here, at startup.
 */
export async function openSpools({ directory, maxOpen }: SpoolOptions): Promise<Spools> {
  await mkdir(directory, { recursive: true });
  await removeLeftovers(directory);
  const places = createSharedBudget({
    maxUnits: maxOpen,
    retryAfterMs: RETRY_AFTER_MS,
    shareMessage: 'The project has too many large bodies under way',
    wholeMessage: 'Too many large bodies are under way',
  });
  return {
    get openCount() {
      return places.usedUnits;
    },
    async open(projectId, held) {
      const place = places.open(projectId);
      place.hold(1);
      try {
        held.setBody(WINDOW_BYTES);
        return new FileSpool(await openNameless(directory), held, place);
      } catch (error) {
        place.release();
        throw asCallerError(error);
      }
    },
  };
}

/**
 * Removes all named files, also those of other processes in the same directory: their files are already open and need
 * no name.
 */
async function removeLeftovers(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.startsWith(FILE_PREFIX));
  await Promise.all(names.map((name) => rm(join(directory, name), { force: true })));
}

async function openNameless(directory: string): Promise<FileHandle> {
  const path = join(directory, `${FILE_PREFIX}${randomUUID()}`);
  const file = await open(path, 'wx+', OWNER_ONLY);
  await rm(path, { force: true });
  return file;
}

class FileSpool implements Spool {
  readonly #file: FileHandle;
  readonly #held: RequestBytes;
  readonly #place: Holding;
  #isOpen = true;
  #window = Buffer.alloc(0);
  readonly isInMemory = false;
  sizeBytes = 0;
  bytes = Buffer.alloc(0);
  offset = 0;

  constructor(file: FileHandle, held: RequestBytes, place: Holding) {
    this.#file = file;
    this.#held = held;
    this.#place = place;
  }

  async write(chunk: Buffer): Promise<void> {
    try {
      await this.#file.appendFile(chunk);
    } catch (error) {
      throw asCallerError(error);
    }
    this.sizeBytes += chunk.length;
  }

  bring(start: number, end: number): Promise<void> | undefined {
    const isAtHand = start >= this.offset && end <= this.offset + this.bytes.length;
    return isAtHand || start === end ? undefined : this.#load(start, end);
  }

  async *chunks(): AsyncGenerator<Buffer> {
    for (let start = 0; start < this.sizeBytes; start += CHUNK_BYTES) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, this.sizeBytes - start));
      await this.#read(chunk, start);
      yield chunk;
    }
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#place.release();
    await this.#file.close();
  }

  async #load(start: number, end: number): Promise<void> {
    const bytes = Math.min(Math.max(WINDOW_BYTES, end - start), this.sizeBytes - start);
    if (bytes > this.#window.length) {
      this.#held.setBody(bytes);
      this.#window = Buffer.allocUnsafeSlow(bytes);
    }
    const window = this.#window.subarray(0, bytes);
    await this.#read(window, start);
    this.bytes = window;
    this.offset = start;
  }

  async #read(target: Buffer, position: number): Promise<void> {
    let done = 0;
    while (done < target.length) {
      const { bytesRead } = await this.#file.read(target, done, target.length - done, position + done);
      if (bytesRead === 0) throw new Error('A spooled body is shorter than what was written');
      done += bytesRead;
    }
  }
}

/** Maps a full disk to OVERLOADED, like any other shortage. */
function asCallerError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return comeBackLater('OVERLOADED', 'The body cannot be kept at the moment', RETRY_AFTER_MS, error);
}
