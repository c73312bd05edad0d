import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { KnowledgeItem } from '@clew/contracts';
import { derivedId, newId } from '@clew/kernel';
import { useTestEnvironment } from '@clew/testing';
import { itemCollection, itemFields, type StoredItem } from '../items/index.ts';
import { likenessOf } from '../merging/index.ts';
import { itemWith } from '../test-support/items.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { directionOf, vectorAt } from '../test-support/vectors.ts';

const MODEL = 'self/minilm';
const QUESTION = directionOf(1);
const environment = useTestEnvironment();
let service: TestService;
let projectId: string;
let count = 0;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

beforeEach(() => {
  projectId = newId('prj');
  service.modelRuntime.embeddingModel = MODEL;
  service.modelRuntime.isAway = false;
  service.modelRuntime.embed = () => [...QUESTION];
  service.modelRuntime.embedded.length = 0;
});

/** Stores an item, later than those before it, with that cosine to the question. */
async function keep(
  { database }: Pick<TestService, 'database'>,
  content: string,
  cosine: number,
  more: Partial<StoredItem> & { model?: string } = {},
) {
  const { model = MODEL, ...fields } = more;
  count += 1;
  const item = itemWith({
    ...{ id: derivedId('kitm', projectId, String(count)), projectId, content, createdAt: count, ...fields },
  });
  const values = vectorAt(cosine, QUESTION, directionOf(100 + count));
  await itemCollection(database).insertOne({ ...itemFields(item), ...likenessOf(content, { model, values }) });
  return item;
}

async function search(q: string, query = ''): Promise<string[]> {
  const path = `/items?q=${encodeURIComponent(q)}${query}`;
  const { status, body } = await service.call<{ items: KnowledgeItem[] }>({ projectId, path });
  expect(status).toBe(200);
  return body.items.map(({ content }) => content);
}

const Q = 'login secret';

describe('a search for Knowledge', () => {
  it('finds what has its words and what means about the same, newest first, and nothing else', async () => {
    await keep(service, 'Reset a password by mail', 0.6);
    await keep(service, 'The login secret is in the safe', 0.1);
    await keep(service, 'It rains in Paris', 0.2);
    await keep(service, 'Keys are changed each May', 0.55);
    await keep(service, 'Doors shut at nine', 0.4);
    expect(await search(Q)).toEqual([
      'Keys are changed each May',
      'The login secret is in the safe',
      'Reset a password by mail',
    ]);
  });

  it('never compares vectors of another model', async () => {
    await keep(service, 'Reset a password by mail', 0.9, { model: 'loop/other' });
    expect(await search(Q)).toEqual([]);
  });

  it('finds an item once that has its words and means the same', async () => {
    await keep(service, 'A login secret', 0.8);
    await keep(service, 'A password', 0.8);
    expect(await search(Q)).toEqual(['A password', 'A login secret']);
  });

  it('keeps to its filters, and to the order of what changed since', async () => {
    await keep(service, 'another goal', 0.8, { goalId: 'goal_2', updatedAt: 1_003 });
    await keep(service, 'archived', 0.8, { status: 'archived', updatedAt: 1_002 });
    const kept = await keep(service, 'kept', 0.8, { updatedAt: 1_001 });
    expect(await search(Q, '&goalId=goal_1&status=active')).toEqual(['kept']);
    expect(await search(Q, '&goalId=goal_2')).toEqual(['another goal']);
    expect(await search(Q, `&updatedAfter=${kept.updatedAt}`)).toEqual(['kept', 'archived', 'another goal']);
  });

  it('finds the nearest fifty, however many are near', async () => {
    for (let index = 0; index < 60; index += 1) await keep(service, `near ${index}`, index < 10 ? 0.55 : 0.7);
    const found = await search(Q);
    expect(found).toHaveLength(50);
    expect(found).not.toContain('near 3');
  });

  it('is embedded once for all its pages, which are of one list', async () => {
    for (let index = 0; index < 7; index += 1) {
      await keep(service, index % 2 === 0 ? `login secret ${index}` : `meaning ${index}`, index % 2 === 0 ? 0 : 0.7);
    }
    const walked: string[] = [];
    let cursor = '';
    do {
      const { body } = await service.call<{ items: KnowledgeItem[]; nextCursor: string | null }>({
        ...{ projectId, path: `/items?limit=2&q=${encodeURIComponent(Q)}${cursor}` },
      });
      expect(body.items.length).toBeGreaterThan(0);
      walked.push(...body.items.map(({ content }) => content));
      // An item that comes meanwhile is not part of the list.
      await keep(service, `later meaning ${walked.length}`, 0.9, { createdAt: 0 });
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor !== '');
    expect(walked).toEqual(
      [6, 5, 4, 3, 2, 1, 0].map((index) => `${index % 2 === 0 ? 'login secret' : 'meaning'} ${index}`),
    );
    expect(service.modelRuntime.embedded).toEqual([Q]);
  });

  it('no longer finds by its old meaning what a person has put in other words', async () => {
    const item = await keep(service, 'Reset a password by mail', 0.8);
    const path = `/items/${item.id}`;
    const changed = await service.call({ method: 'PATCH', projectId, path, body: { content: 'It rains' } });
    expect(changed.status).toBe(200);
    expect(await search(Q)).toEqual([]);
  });

  it.each([
    ['the project has no model that embeds', () => (service.modelRuntime.embeddingModel = null)],
    ['nobody can be asked for one', () => (service.modelRuntime.isAway = 'embedding')],
    ['the model answers no vector', () => (service.modelRuntime.embed = () => [])],
  ])('finds by words alone where %s', async (_name, arrange) => {
    arrange();
    await keep(service, 'Reset a password by mail', 0.8);
    await keep(service, 'The login secret is in the safe', 0.1);
    expect(await search(Q)).toEqual(['The login secret is in the safe']);
    expect(await search('login')).toEqual(['The login secret is in the safe']);
    // Searches do not wait again at once for a model that has just failed.
    expect(service.modelRuntime.embedded.filter((text) => text === 'login')).toEqual(
      service.modelRuntime.embedded.slice(1),
    );
  });

  it('finds by words alone where the model does not answer in time', async () => {
    const hasty = await startTestService(environment, { searchPatienceMs: 200 });
    hasty.modelRuntime.embeddingModel = MODEL;
    hasty.modelRuntime.embed = () => new Promise(() => undefined);
    await keep(hasty, 'Reset a password by mail', 0.8);
    await keep(hasty, 'The login secret is in the safe', 0.1);
    for (const q of [Q, 'login', 'secret']) {
      const { body } = await hasty.call<{ items: KnowledgeItem[] }>({ projectId, path: `/items?q=${q}` });
      expect(body.items.map(({ content }) => content)).toEqual(['The login secret is in the safe']);
    }
    // Searches do not wait again at once for a model that has just failed.
    expect(hasty.modelRuntime.embedded.length).toBeLessThan(3);
    await hasty.stop();
  });

  it('for what holds no word finds nothing, and asks nobody', async () => {
    await keep(service, 'Reset a password by mail', 0.8);
    expect(await search('?!')).toEqual([]);
    expect(service.modelRuntime.embedded).toEqual([]);
  });
});
