import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CATALOG_SORT_FIELDS } from '@clew/contracts';
import { newId, takeSlice } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { explainSent, explainUsesIndex, monitored, useTestEnvironment } from '@clew/testing';
import { hubModelId, type Model } from '../shared/index.ts';
import { openTestDatabase } from '../test-support/service.ts';
import type { CatalogFilter } from './catalog-filter.ts';
import { catalogModelModel, hubFactsModel } from './catalog.model.ts';
import { createModelStore, type CatalogWalk } from './models.store.ts';
import { keyIn, sortOf, type CatalogOrder } from './sort-keys.ts';

const environment = useTestEnvironment();
const projectId = newId('prj');
let database: Database;

function seenModel(index: number): Model {
  const repoId = `owner-${index % 7}/model-${index}`;
  return {
    id: hubModelId(repoId),
    name: `model-${index}`,
    description: '',
    origin: 'discovered',
    category: index % 3 === 0 ? 'chat' : 'embedding',
    ...{ pipelineTag: 'text-generation', tags: [`tag-${index % 5}`], license: null, repoId, gated: false },
    ...{ contextLength: null, downloads: (index * 7_919) % 1_000, likes: index % 10, updatedAt: index },
    formats: ['gguf'],
    profiles: [],
  };
}

beforeAll(async () => {
  database = await openTestDatabase(environment, monitored(environment.mongoUrl));
  const store = createModelStore(database);
  const models = Array.from({ length: 500 }, (_, index) => seenModel(index));
  for (const project of [projectId, newId('prj'), newId('prj')]) await store.putDiscovered(project, models, 1);
});

afterAll(() => database.close());

async function slice(project: string, walk: CatalogWalk): Promise<Model[]> {
  const found = createModelStore(database).walk(project, walk);
  return (await takeSlice(found, { limit: walk.limit, keyOf: keyIn(walk.sort) })).items;
}

const FILTERS: readonly CatalogFilter[] = [
  {},
  { search: 'model 1' },
  { category: 'chat', format: 'gguf' },
  { pipelineTag: 'text-generation', modelIds: new Set(['owner-1--model-1', 'owner-2--model-2']) },
];

describe('a page of the catalog', () => {
  it.each(CATALOG_SORT_FIELDS)(
    'by %s is read in the order of an index, whatever filters, direction and cursor',
    async (field) => {
      for (const direction of ['asc', 'desc'] as const) {
        for (const filter of FILTERS) {
          for (const after of [undefined, [field === 'name' ? 'model-2' : 3, 'owner-3--model-3']]) {
            const walk = { filter, sort: sortOf({ field, direction }), limit: 20, after };
            const explained = await explainSent(database, () => slice(projectId, walk));
            expect(explained.map(({ plan }) => plan)).toEqual([expect.stringMatching(/^find models:.* IXSCAN$/)]);
          }
        }
      }
    },
  );
});

describe('every other query of the catalog', () => {
  it('finds what it wants by an index', async () => {
    const model = catalogModelModel(database.connection);
    await explainUsesIndex(model.find({ projectId, modelId: 'owner-1--model-1' }));
    await explainUsesIndex(model.find({ projectId, modelId: { $in: ['a', 'b'] }, origin: 'imported' }));
    await explainUsesIndex(model.find({ projectId, origin: 'discovered' }, { _id: 1 }).sort({ seenAt: 1 }).limit(1));
    await explainUsesIndex(model.find({ origin: 'discovered', projectId, _id: { $in: ['a', 'b'] } }));
    await explainUsesIndex(model.find({ projectId, origin: 'discovered', seenAt: { $lt: 5 } }));
    await hubFactsModel(database.connection).create({
      ...{ _id: `${projectId}:a/b`, projectId, repoId: 'a/b', revision: 'main', gated: false },
      ...{ downloads: 0, likes: 0, updatedAt: 0, files: [] },
    });
    await explainUsesIndex(hubFactsModel(database.connection).find({ projectId, repoId: { $in: ['a/b', 'c/d'] } }));
  });
});

describe('models that were only seen', () => {
  const by = (field: CatalogOrder['field']) => sortOf({ field, direction: 'asc' });

  it('at the same moment are kept up to the bound, no fewer', async () => {
    const project = newId('prj');
    const store = createModelStore(database);
    await store.putDiscovered(project, [1, 2, 3, 4, 5].map(seenModel), 1);
    await store.forgetDiscovered(project, { seenBefore: 0, keep: 3 });
    expect(await slice(project, { filter: {}, sort: by('name'), limit: 100 })).toHaveLength(3);
  });

  it('are kept up to the bound, the ones seen last', async () => {
    const project = newId('prj');
    const store = createModelStore(database);
    for (let seenAt = 1; seenAt <= 5; seenAt += 1) {
      await store.putDiscovered(project, [seenModel(2 * seenAt), seenModel(2 * seenAt + 1)], seenAt);
    }
    await store.forgetDiscovered(project, { seenBefore: 0, keep: 6 });
    const left = await slice(project, { filter: {}, sort: by('updatedAt'), limit: 100 });
    expect(left.map(({ updatedAt }) => updatedAt)).toEqual([6, 7, 8, 9, 10, 11]);
  });
});
