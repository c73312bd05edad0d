import { mkdir, rm } from 'node:fs/promises';
import { AppError, createKeyedLimiter } from '@clew/kernel';
import type { ArtifactFile, ByteSource } from '../../shared/index.ts';
import { sha256OfFile, sizeOf, type ArtifactStore } from './artifact-store.ts';
import { downloadOnce, type DownloadOptions } from './download.ts';
import { partialKeyOf } from './partial-key.ts';
import { createProgress, type OnProgress } from './progress.ts';
import { withRetries, type RetryPolicy } from './read-range.ts';

/** Finds out where the bytes of an artifact are. Throws AppError, and SourceError for what may pass. */
export type ResolveArtifact = (
  file: ArtifactFile,
  options: { hubToken?: string | undefined; signal: AbortSignal },
) => Promise<ByteSource>;

export interface FetchRequest {
  file: ArtifactFile;
  /** The path of the file for its user, on the file system of the store. */
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
   * Puts the artifact at its destination, verified, fetching only what is not on the machine. It may be stopped at any
   * point, by its signal or with the process, and goes on from there when it is called again.
   */
  fetchArtifact(request: FetchRequest): Promise<FetchedArtifact>;
  /** Throws CHECKSUM_MISMATCH, and removes the file, where its bytes are no longer what was fetched. */
  verifyArtifact(destination: string, sha256: string, signal: AbortSignal): Promise<void>;
  /** Throws away what was fetched of an artifact that nobody waits for any more. */
  discardPartial(file: ArtifactFile): Promise<void>;
  /** Frees the disk from what no destination uses any more; to be called when destinations were removed. */
  removeUnused(): Promise<void>;
}

export interface TransferOptions extends DownloadOptions {
  store: ArtifactStore;
  resolve: ResolveArtifact;
}

/** A byte that was changed under way is fetched again, once; changed twice, somebody has to look at it. */
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

  /** Puts the content at its destination, from the store where that has it. */
  async function placedContent(request: FetchRequest): Promise<string> {
    const { file, destination, signal } = request;
    const { sha256, source: from } = file;
    // A gated artifact is opened by the hub for each project anew, also where it is on the machine.
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

/** What may pass is asked again. */
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
