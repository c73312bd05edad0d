import type { CatalogPage, CatalogQuery, HubDetails, ModelDetail } from '@clew/contracts';
import {
  AppError,
  mergeOrdered,
  notFound,
  page,
  takeSlice,
  type CursorCodec,
  type ListDefinition,
  type Slice,
} from '@clew/kernel';
import { compareBy, compareKeys } from '@clew/persistence';
import type { Model } from '../shared/index.ts';
import type { HubTokenOf } from './hub/hub-access.ts';
import type { HubClient } from './hub/hub-client.ts';
import { matches } from './catalog-filter.ts';
import type { CatalogWalk, ModelStore } from './models.store.ts';
import { keyIn, sortOf } from './sort-keys.ts';
import { catalogView, detailView } from './views.ts';

/** Returns the models whose artifacts a project has completely. */
export type InstalledModelIds = (projectId: string) => Promise<readonly string[]>;

export interface CatalogDependencies {
  models: ModelStore;
  installedModelIds: InstalledModelIds;
  hub: HubClient;
  hubTokenOf: HubTokenOf;
  cursors: CursorCodec;
}

export type CatalogService = ReturnType<typeof createCatalogService>;

const CATALOG: ListDefinition = { name: 'catalog' };
const HUB_TIMEOUT_MS = 10_000;
const MAX_SHOWN_FILES = 1_000;

export function createCatalogService({ models, installedModelIds, hub, hubTokenOf, cursors }: CatalogDependencies) {
  const installedSet = async (projectId: string) => new Set(await installedModelIds(projectId));

  async function required(projectId: string, modelId: string): Promise<Model> {
    const model = await models.find(projectId, modelId);
    if (model === undefined) throw modelNotFound();
    return model;
  }

  /** Returns a slice of the built-in models, which are few, merged with the project's own. */
  async function sliceOf(projectId: string, walk: CatalogWalk): Promise<Slice<Model>> {
    const { filter, sort, limit, after } = walk;
    const keyOf = keyIn(sort);
    const compare = compareBy(sort, keyOf);
    const isNext = (model: Model) => after === undefined || compareKeys(sort, keyOf(model), after) > 0;
    const builtIn = (await models.builtIn(projectId)).filter((model) => matches(model, filter) && isNext(model));
    const merged = mergeOrdered(builtIn.toSorted(compare), models.walk(projectId, walk), compare);
    return await takeSlice(merged, { limit, keyOf });
  }

  return {
    async page(projectId: string, { limit, cursor, sort, ...query }: CatalogQuery): Promise<CatalogPage> {
      const filters = { ...query, sort: `${sort.field}:${sort.direction}` };
      const found = await page(cursors, CATALOG, { projectId, filters, limit, cursor }, async (slice) => {
        const { installed, ...others } = query;
        const [installedIds, status] = await Promise.all([installedSet(projectId), models.hubStatus(projectId)]);
        const filter = { ...others, modelIds: installed === true ? installedIds : undefined };
        return { ...(await sliceOf(projectId, { ...slice, filter, sort: sortOf(sort) })), installedIds, status };
      });
      const { items, nextCursor, installedIds, status } = found;
      return { models: items.map((model) => catalogView(model, installedIds)), nextCursor, limit, hub: status };
    },

    /** Returns a model; with a profile id, the same answer with that profile selected. */
    async detail(projectId: string, modelId: string, profileId?: string): Promise<ModelDetail> {
      const [model, installedIds] = await Promise.all([required(projectId, modelId), installedSet(projectId)]);
      if (profileId !== undefined && !model.profiles.some(({ id }) => id === profileId)) {
        throw notFound('PROFILE_NOT_FOUND', 'The profile does not exist');
      }
      return detailView(model, installedIds, profileId);
    },

    /** Reads the current state of a repository on the hub; if it cannot be read, the answer says so. */
    async hubDetails(projectId: string, modelId: string, caller: AbortSignal): Promise<HubDetails> {
      const { repoId } = await required(projectId, modelId);
      if (repoId === null) throw notFound('MODEL_NOT_FOUND', 'The model has no repository on the hub');
      const access = {
        token: await hubTokenOf(projectId),
        signal: AbortSignal.any([caller, AbortSignal.timeout(HUB_TIMEOUT_MS)]),
      };
      try {
        const repository = await hub.repository(repoId, access);
        const files = await hub.files(repoId, repository.revision, MAX_SHOWN_FILES + 1, access);
        const { repoId: _repoId, parametersByType: _byType, ...facts } = repository;
        const details = {
          ...facts,
          author: repoId.slice(0, repoId.indexOf('/')),
          files: files.slice(0, MAX_SHOWN_FILES),
          filesTruncated: files.length > MAX_SHOWN_FILES,
        };
        return { modelId, repoId, available: true, reason: null, details };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return { modelId, repoId, available: false, reason: error.message, details: null };
      }
    },
  };
}

export function modelNotFound(): AppError {
  return notFound('MODEL_NOT_FOUND', 'The model does not exist');
}
