import { join } from 'node:path';
import type { LoopbackHub } from '@clew/testing/hub';
import { createHttpClient } from '@clew/model-runtime';
import { createPackageIndex, createArtifactResolver } from '../sources/index.ts';
import {
  createArtifactStore,
  type ArtifactStore,
  freeBytesOf,
  type FreeBytes,
  createTransfer,
  type Transfer,
} from '../transfer/index.ts';

export const CHUNK_BYTES = 64 * 1024;

export interface TestTransfer extends Transfer {
  readonly store: ArtifactStore;
  readonly folder: string;
  /** Path at which a file is to be placed. */
  destination(name: string): string;
  close(): Promise<void>;
}

export interface TestTransferOptions {
  hubUrl: string;
  folder: string;
  indexUrl?: string;
  chunkBytes?: number;
  connections?: number;
  freeBytes?: FreeBytes;
  hubToken?: string;
}

/** Transfer wired as in the agent, with small chunks and short waits. */
export function transferIn(options: TestTransferOptions): TestTransfer {
  const { folder, hubUrl, indexUrl = 'http://127.0.0.1:9/simple/' } = options;
  const http = createHttpClient({ headersTimeoutMs: 5_000, bodyTimeoutMs: 5_000 });
  const store = createArtifactStore(join(folder, 'store'));
  const packages = createPackageIndex({ http, indexUrl: new URL(indexUrl) });
  const transfer = createTransfer({
    store,
    resolve: createArtifactResolver({ http, hubEndpoint: new URL(hubUrl), hubToken: options.hubToken, packages }),
    chunkBytes: options.chunkBytes ?? CHUNK_BYTES,
    connections: options.connections ?? 4,
    retry: { maxAttempts: 4, firstMs: 2, maxMs: 20 },
    freeBytes: options.freeBytes ?? freeBytesOf,
  });
  return {
    ...transfer,
    store,
    folder,
    destination: (name) => join(folder, 'profiles', name),
    close: () => http.close(),
  };
}

/** Ranges of large files that were requested, as `start-end`. */
export function cdnRanges(hub: LoopbackHub): (string | undefined)[] {
  return hub.requests.filter(({ origin }) => origin === 'cdn').map(({ range }) => range?.replace('bytes=', ''));
}
