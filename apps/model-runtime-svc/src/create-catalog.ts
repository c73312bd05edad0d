import type { RuntimeSnapshot } from '@clew/contracts';
import type { Route } from '@clew/http';
import type { Clock, CursorCodec } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import type { Stoppable } from '@clew/runtime';
import { createSecretBox } from '@clew/secrets';
import { createHubTokenStore, createHttpClient } from '@clew/model-runtime';
import {
  catalogRoutes,
  createCatalogService,
  createHubClient,
  createImportsService,
  createModelStore,
  createRefreshService,
  importRoutes,
  type InstalledModelIds,
  modelRoutes,
  type ModelStore,
  requireProfileAccess,
} from './catalog/index.ts';
import type { Profile } from './shared/index.ts';

export interface CatalogConfig {
  AUTH_SECRET: string;
  AUTH_SECRET_PREVIOUS?: string | undefined;
  HF_ENDPOINT: string;
  HF_TOKEN?: string | undefined;
  HF_HUB_OFFLINE: boolean;
}

export interface CatalogDependencies {
  config: CatalogConfig;
  database: Database;
  clock: Clock;
  cursors: CursorCodec;
}

/** Parts of the runtime that the catalog shows. */
export interface CatalogRuntime {
  snapshot(projectId: string): Promise<RuntimeSnapshot>;
  installedModelIds: InstalledModelIds;
}

/** Models that projects know, and the hub that they come from. */
export interface Catalog {
  models: ModelStore;
  /** Throws GATED_REPOSITORY if the hub does not open a profile for the project. */
  authorizeGated(projectId: string, profile: Profile): Promise<void>;
  /** Returns the routes with fixed words below `models`, and those that take any model id there, which come last. */
  routesWith(runtime: CatalogRuntime): { named: readonly Route[]; byModel: readonly Route[] };
  /** Connections to stop after the server. */
  connections: Stoppable;
}

const AUTHORIZE_TIMEOUT_MS = 10_000;

export function createCatalog({ config, database, clock, cursors }: CatalogDependencies): Catalog {
  const secrets = createSecretBox({ authSecret: config.AUTH_SECRET, previousAuthSecret: config.AUTH_SECRET_PREVIOUS });
  const http = createHttpClient();
  const hub = createHubClient({
    http,
    endpoint: new URL(config.HF_ENDPOINT),
    deploymentToken: config.HF_TOKEN,
    offline: config.HF_HUB_OFFLINE,
  });
  const models = createModelStore(database);
  const hubTokens = createHubTokenStore(database, secrets);
  const common = { models, hub, hubTokenOf: hubTokens.tokenOf, clock };
  return {
    models,
    authorizeGated: (projectId, profile) => {
      const signal = AbortSignal.timeout(AUTHORIZE_TIMEOUT_MS);
      return requireProfileAccess(hub, hubTokens.tokenOf, { projectId, profile, signal });
    },
    routesWith({ snapshot, installedModelIds }) {
      const catalog = createCatalogService({ ...common, installedModelIds, cursors });
      const imports = createImportsService({ ...common, database, installedModelIds });
      const refreshes = createRefreshService(common);
      return {
        named: [
          ...catalogRoutes({ catalog, refreshes, hubTokens, runtimeSnapshot: snapshot, clock }),
          ...importRoutes(imports),
        ],
        byModel: modelRoutes(catalog),
      };
    },
    connections: { name: 'hub connections', stop: () => http.close() },
  };
}
