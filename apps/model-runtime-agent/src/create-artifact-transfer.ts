import { createHttpClient } from '@clew/model-runtime';
import { createPackageIndex, createArtifactResolver } from './sources/index.ts';
import { createArtifactStore, freeBytesOf, RETRY_POLICY, createTransfer, type Transfer } from './transfer/index.ts';

export interface ArtifactTransferOptions {
  /** Folder of the store, on the file system of the destinations. */
  storeFolder: string;
  /** `HF_ENDPOINT` */
  hubEndpoint: string;
  /** `HF_TOKEN` */
  hubToken?: string | undefined;
  /** `HF_HUB_OFFLINE` */
  hubOffline?: boolean | undefined;
  packageIndexUrl: URL;
}

export interface ArtifactTransfer extends Transfer {
  close(): Promise<void>;
}

/** Maximum number of bytes that a kill loses, for each connection of a download. */
export const CHUNK_BYTES = 8 * 1024 * 1024;
export const CONNECTIONS = 4;

/** Creates the transfer of a runtime agent. */
export function createArtifactTransfer(options: ArtifactTransferOptions): ArtifactTransfer {
  const { hubEndpoint, hubToken, hubOffline, packageIndexUrl } = options;
  const http = createHttpClient();
  const packages = createPackageIndex({ http, indexUrl: packageIndexUrl });
  const transfer = createTransfer({
    store: createArtifactStore(options.storeFolder),
    resolve: createArtifactResolver({ http, hubEndpoint: new URL(hubEndpoint), hubToken, hubOffline, packages }),
    chunkBytes: CHUNK_BYTES,
    connections: CONNECTIONS,
    retry: RETRY_POLICY,
    freeBytes: freeBytesOf,
  });
  return { ...transfer, close: () => http.close() };
}
