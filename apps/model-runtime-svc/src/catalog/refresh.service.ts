import type { HubStatus, ModelFormat } from '@clew/contracts';
import { AppError, type Clock } from '@clew/kernel';
import { categoryOf, hubModelId, type Model } from '../shared/index.ts';
import type { HubTokenOf } from './hub/hub-access.ts';
import type { HubAccess, HubClient, HubModel, HubSearch } from './hub/hub-client.ts';
import { BUILT_IN_MODELS } from './built-in-models.ts';
import { namedFiles, repositoriesOf, type HubFacts } from './hub-facts.ts';
import type { ModelStore } from './models.store.ts';

export interface RefreshDependencies {
  models: ModelStore;
  hub: HubClient;
  hubTokenOf: HubTokenOf;
  clock: Clock;
}

export interface RefreshResult {
  hub: HubStatus;
  discoveredCount: number;
}

export type RefreshService = ReturnType<typeof createRefreshService>;

const TIMEOUT_MS = 20_000;
const MAX_DISCOVERED = 2_000;
const MAX_FILES = 1_000;
const PER_TASK = 50;
const PER_SEARCH = 100;

/**
 * Searches for a project that asks for nothing particular: the most downloaded models of each task that an engine here
 * runs.
 */
const USUAL_SEARCHES: readonly HubSearch[] = [
  { pipelineTag: 'text-generation', tags: ['gguf'], limit: PER_TASK },
  { pipelineTag: 'feature-extraction', tags: ['gguf'], limit: PER_TASK },
  { pipelineTag: 'sentence-similarity', tags: ['gguf'], limit: PER_TASK },
  { pipelineTag: 'automatic-speech-recognition', tags: ['ctranslate2'], limit: PER_TASK },
];

export function createRefreshService({ models, hub, hubTokenOf, clock }: RefreshDependencies) {
  async function discover(search: string | undefined, access: HubAccess): Promise<Model[]> {
    const searches = search === undefined ? USUAL_SEARCHES : [{ words: search, limit: PER_SEARCH }];
    const found = await Promise.all(searches.map((each) => hub.search(each, access)));
    const byId = new Map(found.flat().map((model) => [hubModelId(model.repoId), discovered(model)]));
    return [...byId.values()].filter(({ formats }) => formats.length > 0);
  }

  /** Reads the facts of a repository; one that is gone must not keep the others from being read. */
  async function factsOf(repoId: string, access: HubAccess): Promise<HubFacts[]> {
    try {
      const repository = await hub.repository(repoId, access);
      const { revision, gated, downloads, likes, updatedAt } = repository;
      const files = namedFiles(BUILT_IN_MODELS, repoId, await hub.files(repoId, revision, MAX_FILES, access));
      const isGated = repository.private || gated !== 'no';
      return [{ repoId, revision, gated: isGated, downloads, likes, updatedAt, files }];
    } catch (error) {
      if (error instanceof AppError && error.code !== 'UPSTREAM_UNAVAILABLE') return [];
      throw error;
    }
  }

  async function readHub(projectId: string, search: string | undefined, signal: AbortSignal): Promise<number> {
    const access = { token: await hubTokenOf(projectId), signal };
    const startedAt = clock.now();
    const repositories = search === undefined ? repositoriesOf(BUILT_IN_MODELS) : [];
    const [found, facts] = await Promise.all([
      discover(search, access),
      Promise.all(repositories.map((repoId) => factsOf(repoId, access))),
    ]);
    await models.putDiscovered(projectId, found, clock.now());
    await models.putHubFacts(projectId, facts.flat());
    const seenBefore = search === undefined ? startedAt : 0;
    await models.forgetDiscovered(projectId, { seenBefore, keep: MAX_DISCOVERED });
    return found.length;
  }

  return {
    /** Reads the hub now. If the hub is away, only the status changes, and gives the reason. */
    async refresh(projectId: string, search: string | undefined, caller: AbortSignal): Promise<RefreshResult> {
      const before = await models.hubStatus(projectId);
      const signal = AbortSignal.any([caller, AbortSignal.timeout(TIMEOUT_MS)]);
      try {
        const discoveredCount = await readHub(projectId, search, signal);
        const now = clock.now();
        const status: HubStatus = { state: 'succeeded', refreshedAt: now, attemptedAt: now, reason: null };
        await models.setHubStatus(projectId, status);
        return { hub: status, discoveredCount };
      } catch (error) {
        caller.throwIfAborted();
        if (!(error instanceof AppError)) throw error;
        const { refreshedAt } = before;
        const status: HubStatus = { state: 'failed', refreshedAt, attemptedAt: clock.now(), reason: error.message };
        await models.setHubStatus(projectId, status);
        return { hub: status, discoveredCount: 0 };
      }
    },
  };
}

/** Model known only from the hub's list: its files are read when it is imported. */
function discovered(found: HubModel): Model {
  const { repoId, pipelineTag, tags, license, downloads, likes, updatedAt } = found;
  return {
    id: hubModelId(repoId),
    name: repoId.slice(repoId.indexOf('/') + 1),
    description: '',
    origin: 'discovered',
    category: categoryOf(pipelineTag),
    ...{ pipelineTag, tags, license, repoId, downloads, likes, updatedAt },
    gated: found.private || found.gated !== 'no',
    contextLength: null,
    formats: formatsOf(found),
    profiles: [],
  };
}

function formatsOf({ tags, library }: HubModel): ModelFormat[] {
  const named = new Set([...tags, library].map((each) => each?.toLowerCase()));
  return (['gguf', 'safetensors', 'ctranslate2'] as const).filter((format) => named.has(format));
}
