import type { Route } from '@clew/http';
import type { Database } from '@clew/persistence';
import type { DatasetsConfig } from './config.ts';
import type { ExampleReader, ExampleTraitsStore, ExampleUpserts } from './examples/index.ts';
import type { DatasetStore } from './datasets/index.ts';
import { createExportsService, exportRoutes } from './exports/index.ts';
import { createImportsService, importRoutes } from './imports/index.ts';
import { storageRoutes, type RequireRoom } from './storage/index.ts';
import type { SplitsService } from './splits/index.ts';

export interface TransferDependencies {
  config: Pick<DatasetsConfig, 'MAX_IMPORT_FILE_BYTES' | 'MAX_RUNNING_IMPORTS'>;
  database: Database;
  datasets: DatasetStore;
  upserts: ExampleUpserts;
  reader: ExampleReader;
  traits: ExampleTraitsStore;
  splits: SplitsService;
  /** Throws if the project has no room for more. */
  requireRoom: RequireRoom;
}

/**
 * Limit on the expansion of a compressed import: usual text shrinks to a tenth, repetitive text to a hundredth, and
 * anything beyond is an attack.
 */
const MAX_IMPORT_EXPANSION = 200;

/** Creates the routes of imports and exports, and of what Datasets take. */
export function createTransferRoutes(dependencies: TransferDependencies): Route[] {
  const { config, database, datasets, upserts, reader, traits, splits, requireRoom } = dependencies;
  const importsService = createImportsService({
    ...{ database, upserts, reader, traits },
    maxRunning: config.MAX_RUNNING_IMPORTS,
  });
  const limits = {
    maxBytes: config.MAX_IMPORT_FILE_BYTES,
    maxDecompressedBytes: config.MAX_IMPORT_FILE_BYTES,
    maxExpansion: MAX_IMPORT_EXPANSION,
  };
  return [
    ...importRoutes(importsService, limits, requireRoom),
    ...exportRoutes(createExportsService({ datasets, reader, splits })),
    ...storageRoutes(database),
  ];
}
