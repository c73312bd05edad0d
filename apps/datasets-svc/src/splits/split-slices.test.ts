import { expect, it } from '@jest/globals';
import type { ExampleHistory, ExamplePlace, StoredExample } from '../examples/index.ts';
import type { SplitGroups } from './split-groups.ts';
import { createSplitSlices } from './split-slices.ts';

const COUNT = 50_000;
const VERSION = { version: 1, contentId: 'dsv_1', exampleCount: COUNT, createdAt: COUNT };
const KEY = { projectId: 'prj_1', datasetId: 'dst_1' };
const PLACES = Array.from({ length: COUNT }, (_, index): ExamplePlace => ({
  id: `ex_${index}`,
  createdAt: COUNT - index,
}));
/** The only ones of fifty thousand Examples that are in the split. */
const IN_SPLIT = ['ex_39999', 'ex_40000', 'ex_40001'];

it('a slice of a small split ends after a bounded look at the index, and the walk finds all of it', async () => {
  let lookedAt = 0;
  const history: ExampleHistory = {
    get: async () => undefined,
    async *walkPlaces(_key, _version, { after, limit }) {
      const start = after === undefined ? 0 : COUNT - Number(after[0]) + 1;
      for (const place of PLACES.slice(start, start + limit)) {
        lookedAt += 1;
        yield place;
      }
    },
    async *walk(_key, _version, { only = [] }) {
      for (const place of only) yield { ...place, body: 'x' } as StoredExample;
    },
  };
  const groups = { splitOf: (id: string) => (IN_SPLIT.includes(id) ? 'test' : 'train') } as SplitGroups;
  const slices = createSplitSlices(history, { groupsOf: async () => groups });
  const found: string[] = [];
  const sizes: number[] = [];
  let after: readonly (string | number)[] | undefined;
  do {
    lookedAt = 0;
    const { items, next } = await slices(KEY, VERSION, { split: 'test', limit: 2, after });
    expect(lookedAt).toBeLessThanOrEqual(20_000);
    found.push(...items.map(({ id }) => id));
    sizes.push(items.length);
    after = next;
  } while (after !== undefined);
  expect(found).toEqual(IN_SPLIT);
  expect(sizes).toEqual([0, 1, 2]);
});
