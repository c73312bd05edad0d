import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createKeyedLimiter } from '@clew/kernel';

/**
 * Artifacts by their content: `blobs/<sha256>` holds each one once, and every user of it has its own hard link. A blob
 * without such a link is unused. Downloads in progress are below `partial/`.
 *
 * Steps with one content run one at a time: nobody removes it between the check that it is there and the link to it,
 * and a damaged one is deleted before an intact one can take its place.
 */
export interface ArtifactStore {
  readonly directory: string;
  /**
   * Links the content to its destination; false if it is not in the store. Content whose bytes have changed on disk is
   * deleted and counts as missing.
   */
  place(sha256: string, destination: string, signal: AbortSignal): Promise<boolean>;
  /** Adds a finished file to the store and links it to its destination. */
  adopt(path: string, sha256: string, destination: string): Promise<void>;
  /** Deletes the content if its bytes have changed on disk. */
  discardDamaged(sha256: string, signal: AbortSignal): Promise<void>;
  partialDirectory(key: string): string;
  /** Removes content that no destination links to. */
  removeUnused(): Promise<void>;
}

const READ_BYTES = 1024 * 1024;

export function createArtifactStore(directory: string): ArtifactStore {
  const blobs = join(directory, 'blobs');
  const blobOf = (sha256: string) => join(blobs, sha256);
  const oneStep = createKeyedLimiter(1);

  async function hasIntact(sha256: string, signal: AbortSignal): Promise<boolean> {
    if ((await sizeOf(blobOf(sha256))) === undefined) return false;
    if ((await sha256OfFile(blobOf(sha256), signal)) === sha256) return true;
    await rm(blobOf(sha256), { force: true });
    return false;
  }

  async function linkTo(sha256: string, destination: string): Promise<void> {
    await mkdir(dirname(destination), { recursive: true });
    const temporary = `${destination}.${randomUUID()}`;
    await link(blobOf(sha256), temporary);
    await rename(temporary, destination);
    // Renaming a link over another link to the same file leaves both.
    await rm(temporary, { force: true });
  }

  async function isUnused(sha256: string): Promise<boolean> {
    // The blob is gone if another process has found it damaged.
    const found = await stat(blobOf(sha256)).catch(() => undefined);
    return found?.nlink === 1;
  }

  return {
    directory,
    partialDirectory: (key) => join(directory, 'partial', key),
    async place(sha256, destination, signal) {
      const placed = async () => {
        if (!(await hasIntact(sha256, signal))) return false;
        await linkTo(sha256, destination);
        return true;
      };
      return await oneStep.run(sha256, placed, signal);
    },
    async adopt(path, sha256, destination) {
      await mkdir(blobs, { recursive: true });
      await oneStep.run(sha256, async () => {
        // The file is not flushed to disk first: every use hashes the content, so content damaged by a power cut is
        // fetched again.
        await rename(path, blobOf(sha256));
        await linkTo(sha256, destination);
      });
    },
    async discardDamaged(sha256, signal) {
      await oneStep.run(sha256, () => hasIntact(sha256, signal), signal);
    },
    async removeUnused() {
      for (const sha256 of await readdir(blobs).catch(() => [])) {
        // Most content is in use, and is skipped without waiting for its readers.
        if (!(await isUnused(sha256))) continue;
        await oneStep.run(sha256, async () => {
          if (await isUnused(sha256)) await rm(blobOf(sha256), { force: true });
        });
      }
    },
  };
}

export async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  );
}

export async function sha256OfFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: READ_BYTES }), hash, { signal });
  return hash.digest('hex');
}
