import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/**
 * Artifacts by their content: `blobs/<sha256>` holds each one once, and who uses it has a hard link of its own. A blob
 * without such a link is used by nobody. What is under way is below `partial/`.
 */
export interface ArtifactStore {
  readonly directory: string;
  /** Whether the content is there; bytes that have changed on the disk are thrown away and count as missing. */
  hasIntact(sha256: string, signal: AbortSignal): Promise<boolean>;
  /** Makes a finished file part of the store, in one step. */
  adopt(path: string, sha256: string): Promise<void>;
  /** Puts the content where its user expects it, in one step. */
  place(sha256: string, destination: string): Promise<void>;
  forget(sha256: string): Promise<void>;
  partialDirectory(key: string): string;
  /** Removes what nobody has a link to; gives back the bytes that this freed. */
  removeUnused(): Promise<number>;
}

const READ_BYTES = 1024 * 1024;

export function createArtifactStore(directory: string): ArtifactStore {
  const blobs = join(directory, 'blobs');
  const blobOf = (sha256: string) => join(blobs, sha256);
  return {
    directory,
    partialDirectory: (key) => join(directory, 'partial', key),
    async hasIntact(sha256, signal) {
      if ((await sizeOf(blobOf(sha256))) === undefined) return false;
      if ((await sha256OfFile(blobOf(sha256), signal)) === sha256) return true;
      await rm(blobOf(sha256), { force: true });
      return false;
    },
    async adopt(path, sha256) {
      await mkdir(blobs, { recursive: true });
      // Not flushed to the disk first: every use hashes the content, so that what a power cut tears is fetched again.
      await rename(path, blobOf(sha256));
    },
    async place(sha256, destination) {
      await mkdir(dirname(destination), { recursive: true });
      const temporary = `${destination}.${randomUUID()}`;
      await link(blobOf(sha256), temporary);
      await rename(temporary, destination);
      // Renaming a link over another link to the same content leaves both.
      await rm(temporary, { force: true });
    },
    forget: (sha256) => rm(blobOf(sha256), { force: true }),
    async removeUnused() {
      let freedBytes = 0;
      for (const name of await readdir(blobs).catch(() => [])) {
        const found = await stat(join(blobs, name));
        if (found.nlink > 1) continue;
        await rm(join(blobs, name), { force: true });
        freedBytes += found.size;
      }
      return freedBytes;
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
