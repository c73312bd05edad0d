import type { CatalogPage, CatalogQuery, HubDetails, ModelDetail } from '@clew/contracts';
import { AppError, notFound, type CursorCodec, type CursorScope } from '@clew/kernel';
import { keysetKey } from '@clew/persistence';
import type { Model } from '../shared/index.ts';
import type { HubTokenOf } from './hub/hub-access.ts';
import type { HubClient } from './hub/hub-client.ts';
import { matches, type CatalogFilter } from './catalog-filter.ts';
import type { CatalogPosition, ModelStore } from './models.store.ts';
import { compareBy, keysetOf, sortKeysOf } from './sort-keys.ts';
import { catalogView, detailView } from './views.ts';

/** The models that a project has complete artifacts of. */
export type InstalledModelIds = (projectId: string) => Promise<readonly string[]>;

export interface CatalogDependencies {
  models: ModelStore;
  installedModelIds: InstalledModelIds;
  hub: HubClient;
  hubTokenOf: HubTokenOf;
  cursors: CursorCodec;
}

export type CatalogService = ReturnType<typeof createCatalogService>;

const HUB_TIMEOUT_MS = 10_000;
const MAX_SHOWN_FILES = 1_000;

export function createCatalogService({ models, installedModelIds, hub, hubTokenOf, cursors }: CatalogDependencies) {
  const installedSet = async (projectId: string) => new Set(await installedModelIds(projectId));

  async function required(projectId: string, modelId: string): Promise<Model> {
    const model = await models.find(projectId, modelId);
    if (model === undefined) throw modelNotFound();
    return model;
  }

  /** The next models in the order: the product's own, which are few, among the project's. */
  async function nextModels(projectId: string, filter: CatalogFilter, page: CatalogPosition): Promise<Model[]> {
    const [builtIn, own] = await Promise.all([models.builtIn(projectId), models.list(projectId, filter, page)]);
    const sort = keysetOf(page.order);
    const compare = compareBy(sort);
    const after = page.after;
    const isAfter = (model: Model) => {
      if (after === undefined) return true;
      const position = Object.fromEntries(sort.map(([field], index) => [field, after[index]]));
      return compare(sortKeysOf(model), position as never) > 0;
    };
    return [...builtIn.filter((model) => matches(model, filter) && isAfter(model)), ...own]
      .map((model) => ({ model, keys: sortKeysOf(model) }))
      .toSorted((one, other) => compare(one.keys, other.keys))
      .map(({ model }) => model);
  }

  return {
    async page(projectId: string, { limit, cursor, sort, ...query }: CatalogQuery): Promise<CatalogPage> {
      const scope: CursorScope = {
        list: 'catalog',
        projectId,
        filters: { ...query, sort: `${sort.field}:${sort.direction}` },
      };
      const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
      if (cursor !== undefined && after === undefined) throw invalidCursor();
      const [installedIds, status] = await Promise.all([installedSet(projectId), models.hubStatus(projectId)]);
      const { installed, ...filters } = query;
      const filter = { ...filters, modelIds: installed === true ? installedIds : undefined };
      const found = await nextModels(projectId, filter, { order: sort, limit: limit + 1, after });
      const shown = found.slice(0, limit);
      const last = shown.at(-1);
      const more = found.length > limit && last !== undefined;
      return {
        models: shown.map((model) => catalogView(model, installedIds)),
        nextCursor: more ? cursors.encode(scope, keysetKey(keysetOf(sort), sortKeysOf(last))) : null,
        limit,
        hub: status,
      };
    },

    /** A model, and with one of its profiles selected: the same answer. */
    async detail(projectId: string, modelId: string, profileId?: string): Promise<ModelDetail> {
      const [model, installedIds] = await Promise.all([required(projectId, modelId), installedSet(projectId)]);
      if (profileId !== undefined && !model.profiles.some(({ id }) => id === profileId)) {
        throw notFound('PROFILE_NOT_FOUND', 'The profile does not exist');
      }
      return detailView(model, installedIds, profileId);
    },

    /** What the hub says right now; that it cannot be read is part of the answer. */
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

function invalidCursor(): AppError {
  return new AppError('INVALID_CURSOR', 'The cursor is not valid for these filters', {
    details: [{ path: 'query.cursor', message: 'is not valid for these filters' }],
  });
}
