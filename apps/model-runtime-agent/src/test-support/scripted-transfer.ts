import { existsSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ArtifactFile } from '@clew/contracts';
import { AppError } from '@clew/kernel';
import { AWAY_SOURCE, contentOf, FULL_DISK, sha256Of } from '@clew/testing-model-runtime';
import type { Transfer } from '../transfer/index.ts';

const STEPS = 4;

/** Transfer that fetches made-up content, a few steps at a time, into a store that holds every content once. */
export function scriptedTransfer(homePath: string, fetchMs: number): Transfer {
  const blobOf = (sha256: string) => join(homePath, 'store', 'blobs', sha256);

  async function fetchBlob(
    file: ArtifactFile,
    content: Buffer,
    sha256: string,
    tell: (bytes: number) => void,
    signal: AbortSignal,
  ) {
    for (let step = 1; step <= STEPS; step += 1) {
      await sleep(fetchMs / STEPS, undefined, { signal });
      tell(Math.floor((content.length * step) / STEPS));
    }
    if (existsSync(join(homePath, AWAY_SOURCE)))
      throw new AppError('UPSTREAM_UNAVAILABLE', `${file.path} cannot be fetched`);
    if (existsSync(join(homePath, FULL_DISK))) {
      throw Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' });
    }
    await mkdir(dirname(blobOf(sha256)), { recursive: true });
    await writeFile(`${blobOf(sha256)}.new`, content);
    await rename(`${blobOf(sha256)}.new`, blobOf(sha256));
  }

  return {
    async fetchArtifact({ file, destination, onProgress, signal }) {
      const content = contentOf(file.path);
      const sha256 = sha256Of(content);
      const tell = (bytesDone: number) => onProgress?.({ bytesDone, bytesTotal: content.length });
      if (!existsSync(blobOf(sha256))) await fetchBlob(file, content, sha256, tell, signal);
      tell(content.length);
      await mkdir(dirname(destination), { recursive: true });
      await rm(destination, { force: true });
      await link(blobOf(sha256), destination);
      return { sha256, sizeBytes: content.length };
    },
    async verifyArtifact(destination, sha256) {
      if (existsSync(destination) && sha256Of(await readFile(destination)) === sha256) return;
      await rm(destination, { force: true });
      await rm(blobOf(sha256), { force: true });
      throw new AppError('CHECKSUM_MISMATCH', 'The artifact on the disk is not what was fetched');
    },
    discardPartial: async () => undefined,
    async removeUnused() {
      const blobs = join(homePath, 'store', 'blobs');
      for (const name of await readdir(blobs).catch(() => [])) {
        if (name.length === 64 && (await stat(join(blobs, name))).nlink === 1)
          await rm(join(blobs, name), { force: true });
      }
    },
  };
}
