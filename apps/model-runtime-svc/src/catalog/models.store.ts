import type { SliceRequest } from '@clew/kernel';
import { isDuplicateKey, walkInOrder, type Database, type KeysetSort, type Transaction } from '@clew/persistence';
import type { Model, Profile } from '../shared/index.ts';
import { BUILT_IN_MODELS } from './built-in-models.ts';
import { catalogModelModel, type ModelDocument } from './catalog.model.ts';
import { conditionsOf, searchTextOf, type CatalogFilter } from './catalog-filter.ts';
import { repositoriesOf, withHubFacts } from './hub-facts.ts';
import { createHubStateStore, type HubStateStore } from './hub-state.store.ts';
import { sortKeysOf } from './sort-keys.ts';

export interface CatalogWalk extends SliceRequest {
  filter: CatalogFilter;
  sort: KeysetSort;
}

/** Models that a project knows. */
export interface ModelStore extends HubStateStore {
  find(projectId: string, modelId: string): Promise<Model | undefined>;
  profileOf(projectId: string, modelId: string, profileId: string): Promise<Profile | undefined>;
  /** Returns the built-in models with the latest facts from the hub. */
  builtIn(projectId: string): Promise<Model[]>;
  /** Yields the project's own models in the order of an index, whatever the filters. */
  walk(projectId: string, walk: CatalogWalk): AsyncIterable<Model>;
  /** Stores an imported model; resolves with whether it is new. */
  putImported(tx: Transaction, projectId: string, model: Model, nowMs: number): Promise<boolean>;
  /** Adds or updates models seen on the hub; models that the project imported stay as they are. */
  putDiscovered(projectId: string, models: readonly Model[], nowMs: number): Promise<void>;
  /** Forgets models last seen before the given time and, beyond the number to keep, those seen longest ago. */
  forgetDiscovered(projectId: string, bounds: { seenBefore: number; keep: number }): Promise<void>;
}

const BUILT_IN_BY_ID = new Map(BUILT_IN_MODELS.map((model) => [model.id, model]));
const BUILT_IN_REPOSITORIES = repositoriesOf(BUILT_IN_MODELS);

export function createModelStore(database: Database): ModelStore {
  const models = catalogModelModel(database.connection);
  const hubState = createHubStateStore(database);

  async function find(projectId: string, modelId: string): Promise<Model | undefined> {
    const builtIn = BUILT_IN_BY_ID.get(modelId);
    if (builtIn !== undefined) {
      return withHubFacts(builtIn, await hubState.hubFacts(projectId, repositoriesOf([builtIn])));
    }
    const document = await models.findOne({ projectId, modelId }).lean<ModelDocument>();
    return document === null ? undefined : fromDocument(document);
  }

  return {
    ...hubState,
    find,
    async profileOf(projectId, modelId, profileId) {
      const model = await find(projectId, modelId);
      return model?.profiles.find(({ id }) => id === profileId);
    },
    async builtIn(projectId) {
      const facts = await hubState.hubFacts(projectId, BUILT_IN_REPOSITORIES);
      return BUILT_IN_MODELS.map((model) => withHubFacts(model, facts));
    },
    walk(projectId, { filter, sort, ...slice }) {
      const hint = { projectId: 1, ...Object.fromEntries(sort.map(([field]) => [field, 1])) };
      return walkInOrder(models, sort, { filter: conditionsOf(projectId, filter), hint, ...slice }, fromDocument);
    },
    async putImported(tx, projectId, model, nowMs) {
      const document = toDocument(projectId, model, nowMs);
      const before = await models
        .findOneAndReplace({ projectId, modelId: model.id }, document, { upsert: true, session: tx })
        .select({ origin: 1 })
        .lean<Pick<ModelDocument, 'origin'>>();
      return before?.origin !== 'imported';
    },
    async putDiscovered(projectId, discovered, nowMs) {
      if (discovered.length === 0) return;
      const ids = discovered.map(({ id }) => id);
      const imported = await models.distinct('modelId', { projectId, modelId: { $in: ids }, origin: 'imported' });
      const documents = discovered
        .filter(({ id }) => !imported.includes(id))
        .map((model) => toDocument(projectId, model, nowMs));
      const writes = documents.map(({ _id, modelId, ...rest }) => ({
        updateOne: {
          filter: { projectId, modelId, origin: 'discovered' as const },
          update: { $set: rest, $setOnInsert: { _id, modelId } },
          upsert: true,
        },
      }));
      try {
        await models.bulkWrite(writes as never, { ordered: false });
      } catch (error) {
        // The project has imported one of them meanwhile: the import stays.
        if (!isDuplicateKey(error)) throw error;
      }
    },
    async forgetDiscovered(projectId, { seenBefore, keep }) {
      const discovered = { projectId, origin: 'discovered' as const };
      await models.deleteMany({ ...discovered, seenAt: { $lt: seenBefore } });
      const excess = (await models.countDocuments(discovered)) - keep;
      if (excess <= 0) return;
      const oldest = await models.find(discovered, { _id: 1 }).sort({ seenAt: 1 }).limit(excess).lean();
      // Deletes only models that are still discovered ones: a model may have been imported meanwhile.
      await models.deleteMany({ ...discovered, _id: { $in: oldest.map(({ _id }) => _id) } });
    },
  };
}

function toDocument(projectId: string, { id, ...model }: Model, nowMs: number): ModelDocument {
  const keys = sortKeysOf({ id, ...model });
  return {
    _id: `${projectId}:${id}`,
    projectId,
    ...model,
    ...keys,
    searchText: searchTextOf({ id, ...model }),
    seenAt: nowMs,
  };
}

function fromDocument(document: ModelDocument): Model {
  const { _id, projectId: _project, modelId, searchText: _text, seenAt: _seen, ...rest } = document;
  const {
    nameKey: _name,
    downloadsKey: _downloads,
    likesKey: _likes,
    updatedAtKey: _at,
    sizeKey: _size,
    ...model
  } = rest;
  return { id: modelId, ...model };
}
