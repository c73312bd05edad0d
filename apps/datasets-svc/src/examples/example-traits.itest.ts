import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useTestEnvironment } from '@clew/testing';
import { manualExample, startTestService, type TestService } from '../test-support/service.ts';
import { createExampleTraitsStore, currentTraits, newestTraits, retiredTraits } from './example-traits.store.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

describe('the traits of Examples', () => {
  it('are read from the index alone, whatever the size of the Examples', async () => {
    const { dataset, path } = await service.newDataset();
    await service.newExample(path);
    const key = { projectId: dataset.projectId, datasetId: dataset.id };
    const { database } = service;
    for (const query of [
      currentTraits(database, key, 1),
      retiredTraits(database, key, 1),
      newestTraits(database, key, 9),
    ]) {
      const plan = JSON.stringify((await query.explain('queryPlanner')) as object);
      expect(plan).toContain('"stage":"PROJECTION_COVERED"');
      expect(plan).not.toContain('"stage":"FETCH"');
      expect(plan).not.toContain('"stage":"SORT"');
    }
  });

  it('of a version are those of the Examples that it had, and nothing of those that were erased', async () => {
    const { dataset, path } = await service.newDataset();
    const source = { kind: 'manual', externalRef: 'x', derivationKey: 'k', conversationId: 'c' } as const;
    const kept = await service.newExample(path, manualExample('kept', { tags: ['split:test'], source }));
    const changed = await service.newExample(path, manualExample('before'));
    const deleted = await service.newExample(path, manualExample('deleted'));
    const erased = await service.newExample(path, manualExample('erased'));
    const body = { payload: { input: { type: 'text', text: 'after' } } };
    await service.call({ method: 'PATCH', path: `${path}/examples/${changed.id}`, body });
    await service.call({ method: 'DELETE', path: `${path}/examples/${deleted.id}` });
    await service.call({ method: 'DELETE', path: `${path}/examples/${erased.id}?erase=true` });
    const key = { projectId: dataset.projectId, datasetId: dataset.id };
    const traits = createExampleTraitsStore(service.database);
    const at = async (version: number) => (await collected(traits.pages(key, version))).toSorted(byId);
    const then = await at(4);
    expect(then.map(({ id }) => id)).toEqual([kept.id, changed.id, deleted.id].toSorted());
    expect(then.find(({ id }) => id === kept.id)).toMatchObject({
      split: 'test',
      derivationKey: 'k',
      conversationId: 'c',
    });
    const now = await at(7);
    expect(now.map(({ id }) => id)).toEqual([kept.id, changed.id].toSorted());
    const signatureOf = (list: typeof now) => list.find(({ id }) => id === changed.id)?.signature;
    expect(signatureOf(now)).not.toEqual(signatureOf(then));
    expect((await collected(traits.newest(key, 1))).map(({ id }) => id)).toHaveLength(1);
  });
});

async function collected<Item>(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}

function byId(left: { id: string }, right: { id: string }): number {
  return left.id < right.id ? -1 : 1;
}
