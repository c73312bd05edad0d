import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ArtifactFile } from '@clew/contracts';
import type { ByteSource } from '@clew/model-runtime';
import { sha256OfFile } from './artifact-store.ts';
import { openJournal } from './chunk-journal.ts';
import { insufficientDisk, isDiskFull, requireDiskSpace, type FreeBytes } from './disk-space.ts';
import { fetchChunks } from './fetch-chunks.ts';
import { createOrderedHash } from './ordered-hash.ts';
import type { Progress } from './progress.ts';
import type { RetryPolicy } from './read-range.ts';

export interface DownloadOptions {
  /** Maximum number of bytes that a kill loses, for each connection. */
  chunkBytes: number;
  connections: number;
  retry: RetryPolicy;
  freeBytes: FreeBytes;
}

export interface DownloadRequest extends DownloadOptions {
  file: ArtifactFile;
  source: ByteSource;
  /** Folder of downloads in progress; the next process continues with its content. */
  directory: string;
  progress: Progress;
  signal: AbortSignal;
}

export interface Downloaded {
  path: string;
  sha256: string;
  /** Whether the bytes match the statements of the source and the catalog. */
  intact: boolean;
}

/** Fetches the missing parts and verifies the whole file. */
export async function downloadOnce(request: DownloadRequest): Promise<Downloaded> {
  const { file, source, directory, signal } = request;
  const fetchedPath = join(directory, 'data');
  const neededBytes = await bytesStillNeeded(request, fetchedPath);
  await requireDiskSpace(directory, neededBytes, request.freeBytes);
  try {
    const fetchedSha256 = await fetchInto(fetchedPath, request);
    if (source.extract === undefined) return await judged(fetchedPath, fetchedSha256, file, source);
    const path = join(directory, 'extracted');
    await source.extract(fetchedPath, path, signal);
    return await judged(path, await sha256OfFile(path, signal), file, source);
  } catch (error) {
    if (isDiskFull(error)) throw insufficientDisk(neededBytes, await request.freeBytes(directory), error);
    throw error;
  }
}

/** Calculates the bytes still needed. Files are sparse until their bytes arrive, so blocks on disk count as written. */
async function bytesStillNeeded({ file, source }: DownloadRequest, fetchedPath: string): Promise<number> {
  const extractedBytes = source.extract === undefined ? 0 : (file.sizeBytes ?? source.sizeBytes);
  const writtenBytes = await stat(fetchedPath).then(
    ({ blocks }) => blocks * 512,
    () => 0,
  );
  return Math.max(0, source.sizeBytes - writtenBytes) + extractedBytes;
}

async function fetchInto(path: string, request: DownloadRequest): Promise<string> {
  const { source, directory, chunkBytes, progress, signal } = request;
  const data = await open(path, constants.O_RDWR | constants.O_CREAT, 0o644);
  try {
    const header = { identity: source.identity, sizeBytes: source.sizeBytes, chunkBytes };
    const journal = await openJournal(join(directory, 'chunks'), data, header);
    try {
      const done = journal.chunks.filter(({ index }) => journal.isDone(index));
      for (const { start, end } of done) progress.add(end - start);
      const hash = createOrderedHash(data, journal, signal);
      await fetchChunks({ ...request, data, journal, hash, onBytes: (count) => progress.add(count) });
      return await hash.digest();
    } finally {
      await journal.close();
    }
  } finally {
    await data.close();
  }
}

async function judged(path: string, sha256: string, file: ArtifactFile, { expected }: ByteSource): Promise<Downloaded> {
  const { size } = await stat(path);
  const intact =
    (file.sha256 === null || file.sha256 === sha256) &&
    (file.sizeBytes === null || file.sizeBytes === size) &&
    (expected?.algorithm !== 'sha256' || expected.hex === sha256) &&
    (expected?.algorithm !== 'git-sha1' || expected.hex === (await gitSha1(path, size)));
  return { path, sha256, intact };
}

/** Git's hash of a file's content. */
async function gitSha1(path: string, sizeBytes: number): Promise<string> {
  const hash = createHash('sha1').update(`blob ${sizeBytes}\0`);
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
