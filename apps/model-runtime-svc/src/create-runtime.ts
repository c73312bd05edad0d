import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineName } from '@clew/contracts';
import { deriveSecret, notFound, type Clock } from '@clew/kernel';
import { createOutbox, type Database } from '@clew/persistence';
import type { Route } from '@clew/http';
import type { Logger } from '@clew/runtime';
import { createEngineKeys, createHoldingStore, createNodeStore, createResourceStore } from '@clew/model-runtime';
import {
  createDownloadsService,
  createEnginesService,
  createGiveAllBack,
  createProfilesService,
  createResourcesService,
  createRunningServices,
  createServicesService,
  createSnapshotService,
  createTrialsService,
  erasureRoutes,
  type ProfileRef,
  type RunningServices,
  runtimeRoutes,
  type SnapshotService,
  trialRoutes,
} from './runtime/index.ts';
import { type BodyBudgets, createEngineDispatcher, type Model, type Profile } from './shared/index.ts';

export interface RuntimeDependencies {
  config: { AUTH_SECRET: string; MODEL_NODE: string; MODEL_IDLE_TIMEOUT_MS: number };
  database: Database;
  clock: Clock;
  logger: Logger;
  /** Finds a built-in model, or one that the project has imported. */
  findModel(projectId: string, modelId: string): Promise<Model | undefined>;
  /** Throws GATED_REPOSITORY if a file is gated and the hub does not open it for the project. */
  authorizeGated(projectId: string, profile: Profile): Promise<void>;
  versions: Readonly<Record<EngineName, string>>;
  /** Aborted when the process stops. */
  ending: AbortSignal;
  bodyBudgets: BodyBudgets;
}

/** Model runtime of this deployment, as the API sees it. */
export interface Runtime {
  routes: readonly Route[];
  snapshots: SnapshotService;
  running: RunningServices;
  /** Routes of every deployment, since data may have to be removed from any. */
  erasureRoutes: readonly Route[];
}

const MIB = 1024 * 1024;
const MAX_JSON_TRIAL_BYTES = 64 * MIB;
const MAX_TRIAL_FILE_BYTES = 512 * MIB;
const ENGINE_SILENCE_MS = 600_000;

export function createRuntime(deps: RuntimeDependencies): Runtime {
  const { config, database, clock, logger } = deps;
  const { MODEL_NODE: node, MODEL_IDLE_TIMEOUT_MS: idleTimeoutMs } = config;
  const resources = createResourceStore(database);
  const holdings = createHoldingStore(database);
  const nodes = createNodeStore(database);
  const outbox = createOutbox(database);
  const resourcesService = createResourcesService({ node, database, outbox, clock, resources, holdings });
  const snapshots = createSnapshotService({ node, nodes, resources, holdings, versions: deps.versions, clock });
  const { requireNode } = snapshots;
  const modelOf = (projectId: string, ref: ProfileRef) => findProfile(deps, projectId, ref);
  const profileOf = async (projectId: string, ref: ProfileRef) => (await modelOf(projectId, ref)).profile;
  const downloads = createDownloadsService({ ...deps, resourcesService, holdings, profileOf, requireNode });
  const services = createServicesService({
    ...{ resourcesService, resources, clock, modelOf, requireNode },
    artifactOf: downloads.artifactOf,
    // Zero keeps services running for as long as a project holds them.
    defaultIdleTimeoutMs: idleTimeoutMs === 0 ? null : idleTimeoutMs,
  });
  const running = createRunningServices({
    ...{ node, resources, holdings, clock, logger },
    keys: createEngineKeys(deriveSecret(config.AUTH_SECRET, 'engine-key/v1')),
    wake: services.wake,
  });
  const trials = createTrialsService({
    ...{ running, profileOf, bodyBudgets: deps.bodyBudgets },
    dispatcher: createEngineDispatcher(ENGINE_SILENCE_MS),
    spoolDirectory: join(tmpdir(), 'clew-trials'),
    maxJsonBytes: MAX_JSON_TRIAL_BYTES,
    maxFileBytes: MAX_TRIAL_FILE_BYTES,
  });
  return {
    snapshots,
    running,
    erasureRoutes: erasureRoutes(database, createGiveAllBack(holdings, resourcesService)),
    routes: [
      ...runtimeRoutes({
        engines: createEnginesService({ resourcesService, holdings, versions: deps.versions, requireNode }),
        profiles: createProfilesService({ database, resourcesService, profileOf }),
        ...{ downloads, services, snapshots, ending: deps.ending },
      }),
      ...trialRoutes(trials),
    ],
  };
}

async function findProfile(deps: RuntimeDependencies, projectId: string, { modelId, profileId }: ProfileRef) {
  const model = await deps.findModel(projectId, modelId);
  if (model === undefined) throw notFound('MODEL_NOT_FOUND', 'The project has no such model');
  const profile = model.profiles.find(({ id }) => id === profileId);
  if (profile === undefined) throw notFound('PROFILE_NOT_FOUND', 'The model has no such profile');
  return { model, profile };
}
