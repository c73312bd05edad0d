import { mkdir, rm } from 'node:fs/promises';
import { AppError, createKeyedLimiter } from '@clew/kernel';
import type { ArtifactFile } from '@clew/contracts';
import type { ByteSource } from '@clew/model-runtime';
import { sha256OfFile, sizeOf, type ArtifactStore } from './artifact-store.ts';
import { downloadOnce, type DownloadOptions } from './download.ts';
import { partialKeyOf } from './partial-key.ts';
import { createProgress, type OnProgress } from './progress.ts';
import { withRetries, type RetryPolicy } from './read-range.ts';

/** Finds the source of an artifact's bytes. Throws AppError, or SourceError for a failure that may pass. */
export type ResolveArtifact = (
  file: ArtifactFile,
  options: { hubToken?: string | undefined; signal: AbortSignal },
) => Promise<ByteSource>;

export interface FetchRequest {
  file: ArtifactFile;
  /** Path of the file for its user, on the file system of the store. */
  destination: string;
  hubToken?: string | undefined;
  onProgress?: OnProgress;
  signal: AbortSignal;
}

export interface FetchedArtifact {
  sha256: string;
  sizeBytes: number;
}

export interface Transfer {
  /**
   * Puts the verified artifact at its destination, and fetches only bytes that are not on the machine. It may be
   * stopped at any point, by its signal or with the process, and continues from there when it is called again.
   */
  fetchArtifact(request: FetchRequest): Promise<FetchedArtifact>;
  /** Throws CHECKSUM_MISMATCH, and removes the file, if its bytes are no longer those that were fetched. */
  verifyArtifact(destination: string, sha256: string, signal: AbortSignal): Promise<void>;
  /** Deletes the fetched part of an artifact that nobody waits for any more. */
  discardPartial(file: ArtifactFile): Promise<void>;
  /** Removes content that no destination uses any more; to be called after destinations were removed. */
  removeUnused(): Promise<void>;
}

export interface TransferOptions extends DownloadOptions {
  store: ArtifactStore;
  resolve: ResolveArtifact;
}

/**
 * Maximum number of downloads: a file corrupted on the way is fetched again once; a second corruption is for a person
 * to look at.
 */
const MAX_DOWNLOADS = 2;

export function createTransfer({ store, resolve, ...options }: TransferOptions): Transfer {
  const oneFetch = createKeyedLimiter(1);

  async function download(request: FetchRequest, source: ByteSource): Promise<string> {
    const { file, destination, signal, onProgress } = request;
    const directory = store.partialDirectory(partialKeyOf(file.source));
    for (let attempt = 1; attempt <= MAX_DOWNLOADS; attempt += 1) {
      await mkdir(directory, { recursive: true });
      const progress = createProgress(source.sizeBytes, file.sizeBytes ?? source.sizeBytes, onProgress);
      const fetched = await downloadOnce({ ...options, file, source, directory, progress, signal });
      if (fetched.intact) await store.adopt(fetched.path, fetched.sha256, destination);
      await rm(directory, { recursive: true, force: true });
      if (fetched.intact) return fetched.sha256;
    }
    throw checksumMismatch('The artifact that was fetched is not what its source says it is');
  }

  /** Puts the content at its destination, from the store if it is there. */
  async function placedContent(request: FetchRequest): Promise<string> {
    const { file, destination, signal } = request;
    const { sha256, source: from } = file;
    // The hub must authorize a gated artifact for each project, even if it is on the machine.
    const gated = from.kind === 'hub' && from.gated;
    if (sha256 !== null && !gated && (await store.place(sha256, destination, signal))) return sha256;
    const source = await resolvedSource(resolve, options.retry, request);
    const offered = source.expected?.algorithm === 'sha256' ? source.expected.hex : undefined;
    if (sha256 !== null && offered !== undefined && offered !== sha256) {
      throw checksumMismatch('The source offers another file than the catalog names');
    }
    const known = sha256 ?? offered;
    if (known !== undefined && (await store.place(known, destination, signal))) return known;
    return download(request, source);
  }

  return {
    async fetchArtifact(request) {
      const { file, destination, signal } = request;
      const fetched = async () => {
        const sha256 = await placedContent(request);
        const sizeBytes = (await sizeOf(destination)) ?? 0;
        request.onProgress?.({ bytesDone: sizeBytes, bytesTotal: sizeBytes });
        return { sha256, sizeBytes };
      };
      return await oneFetch.run(partialKeyOf(file.source), fetched, signal);
    },
    async verifyArtifact(destination, sha256, signal) {
      const found = (await sizeOf(destination)) === undefined ? undefined : await sha256OfFile(destination, signal);
      if (found === sha256) return;
      await rm(destination, { force: true });
      await store.discardDamaged(sha256, signal);
      throw checksumMismatch('The artifact on the disk is not what was fetched');
    },
    async discardPartial(file) {
      const key = partialKeyOf(file.source);
      await oneFetch.run(key, () => rm(store.partialDirectory(key), { recursive: true, force: true }));
    },
    removeUnused: () => store.removeUnused(),
  };
}

function checksumMismatch(message: string): AppError {
  return new AppError('CHECKSUM_MISMATCH', message);
}

/** Failures that may pass are retried. */
async function resolvedSource(
  resolve: ResolveArtifact,
  retry: RetryPolicy,
  { file, hubToken, signal }: FetchRequest,
): Promise<ByteSource> {
  const found: ByteSource[] = [];
  await withRetries(retry, signal, async () => {
    try {
      found.push(await resolve(file, { hubToken, signal }));
      return undefined;
    } catch (error) {
      return { progressed: false, error };
    }
  });
  const [source] = found;
  if (source === undefined) throw new Error('An attempt succeeded without a source');
  return source;
}
