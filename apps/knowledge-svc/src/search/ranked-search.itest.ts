import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RECALLED_KNOWLEDGE, type PackedKnowledge, type SearchedKnowledge } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { isTainted } from '@clew/knowledge';
import { useTestEnvironment } from '@clew/testing';
import { itemCollection, itemFields, supersededItem, type StoredItem } from '../items/index.ts';
import { likenessOf } from '../merging/index.ts';
import { itemWith } from '../test-support/items.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { directionOf, vectorAt } from '../test-support/vectors.ts';

const MODEL = 'self/minilm';
const QUESTION = directionOf(1);
const environment = useTestEnvironment();
let service: TestService;
let projectId: string;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

beforeEach(() => {
  projectId = newId('prj');
  service.modelRuntime.embeddingModel = MODEL;
  service.modelRuntime.embed = () => [...QUESTION];
});

/** Stores items, later ones newer, each with its cosine to the question. */
async function keep(...items: readonly [content: string, cosine: number, change?: Partial<StoredItem>][]) {
  const stored = items.map(([content, , change], at) =>
    itemWith({ projectId, title: `Item ${at}`, content, createdAt: at + 1, ...change }),
  );
  await itemCollection(service.database).insertMany(
    stored.map((item, at) => {
      const values = vectorAt(items[at]![1], QUESTION, directionOf(100 + at));
      return { ...itemFields(item), ...likenessOf(item.content, { model: MODEL, values }) };
    }),
  );
  return stored;
}

async function search(query: string) {
  const { status, body } = await service.call<SearchedKnowledge>({ projectId, path: `/search?${query}` });
  expect(status).toBe(200);
  return body;
}

const contentsOf = ({ items }: SearchedKnowledge) => items.map(({ item }) => item.content);

describe('a ranked search', () => {
  it('puts first what has rare words or the meaning, best what has both, and says what it looked at', async () => {
    await keep(
      ['The refund of a ticket takes nine days', 0.1],
      ['The ticket office is closed', 0.1],
      ['Money comes back within two weeks', 0.7],
      ['A refund takes some days and the ticket is gone', 0.8],
      ['It rains in Paris', 0.1],
    );
    const found = await search('q=how%20long%20does%20a%20ticket%20refund%20take');
    expect(contentsOf(found)[0]).toBe('A refund takes some days and the ticket is gone');
    expect(contentsOf(found).slice(1).toSorted()).toEqual([
      'Money comes back within two weeks',
      'The refund of a ticket takes nine days',
      'The ticket office is closed',
    ]);
    expect(found.items[0]).toMatchObject({ matched: ['words', 'meaning'], isCurrent: true });
    expect(found.lookedAt).toMatchObject({
      words: { isComplete: true },
      meaning: { model: MODEL, items: 5, isComplete: true },
    });
  });

  it('finds by words alone where no model embeds, and nothing for a text without words', async () => {
    service.modelRuntime.embeddingModel = null;
    await keep(['Refunds take nine days', 0.9], ['Money comes back late', 0.9]);
    const found = await search('q=refunds');
    expect(contentsOf(found)).toEqual(['Refunds take nine days']);
    expect(found.lookedAt.meaning).toBeNull();
    expect(contentsOf(await search('q=%3F%21'))).toEqual([]);
    expect((await service.call({ projectId, path: '/search?q=%20' })).status).toBe(400);
  });

  it('ranks what holds before what was replaced, and answers what was held at a time', async () => {
    const [old, now] = [
      itemWith({ projectId, content: 'The limit is 50 euros', createdAt: 1_000 }),
      itemWith({ projectId, content: 'The limit is 80 euros for all of our many customers', createdAt: 2_000 }),
    ];
    const gone = itemWith({ projectId, content: 'The limit is 10 euros', createdAt: 500, status: 'archived' });
    const items = [supersededItem(old, now, 2_000), { ...now, supersedes: old.id }, gone];
    await itemCollection(service.database).insertMany(
      items.map((item) => ({ ...itemFields(item), ...likenessOf(item.content) })),
    );
    const found = await search('q=limit%20euros');
    expect(found.items.map(({ item, isCurrent }) => [item.id, isCurrent])).toEqual([
      [now.id, true],
      [old.id, false],
    ]);
    expect(contentsOf(await search('q=limit&asOf=1500'))).toEqual([old.content]);
    expect(contentsOf(await search('q=limit&asOf=2000'))).toEqual([now.content]);
    expect(contentsOf(await search('q=limit&asOf=700'))).toEqual([]);
  });

  it('keeps to a goal, a subject and a number', async () => {
    const about = (name: string) => ({ subject: { kind: 'person' as const, name, userId: null } });
    await keep(
      ['Anna likes tea', 0.1, about('Anna')],
      ['Ben likes tea', 0.9, about('Ben')],
      ['Anna likes green tea', 0.1, { ...about('Anna'), goalId: 'goal_2' }],
    );
    expect(contentsOf(await search('q=tea&subject=anna'))).toHaveLength(2);
    expect(contentsOf(await search('q=tea&subject=anna&goalId=goal_2'))).toEqual(['Anna likes green tea']);
    expect(contentsOf(await search('q=tea&k=1'))).toHaveLength(1);
    expect((await service.call({ projectId, path: '/search?q=tea&k=51' })).status).toBe(400);
  });

  it('never shows what is of another project', async () => {
    await keep(['Refunds take nine days', 0.9]);
    projectId = newId('prj');
    expect(contentsOf(await search('q=refunds'))).toEqual([]);
  });
});

describe('a context for an agent', () => {
  const recall = (body: object) =>
    service.call<PackedKnowledge>({ method: 'POST', projectId, path: '/context', body: { q: 'tea', ...body } });

  it('packs the best that holds with its quotes into the tokens asked for, and is recognised when it comes back', async () => {
    const place = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), messageIndex: 0, startChar: 0, endChar: 9 };
    const evidence = [{ ...place, quote: 'I like\n\ntea', conversationId: 'c', isCurrent: true }];
    await keep(
      ['Tea is served at four', 0.9, { evidence }],
      ['Tea was served at five', 0.5, { heldUntil: 5, validUntil: 5 }],
      [`Tea ${'and more '.repeat(200)}`, 0.5],
      ['Green tea is out', 0.5],
    );
    const { status, body } = await recall({ maxTokens: 100 });
    expect(status).toBe(200);
    expect(body.text.split('\n')[0]).toBe(`${RECALLED_KNOWLEDGE}:`);
    expect(body.text).toContain('- Tea is served at four (said 1970-01-01; ');
    expect(body.text).toContain('\n  "I like tea"');
    expect(body.text).toContain('Green tea is out');
    expect(body.text).not.toMatch(/five|and more|\n\n/);
    expect(body.items).toHaveLength(2);
    expect(body.tokens).toBeLessThanOrEqual(100);
    const message = { role: 'user' as const, content: `Hello\n\n${body.text}` };
    const start = message.content.indexOf('Tea is served');
    expect(isTainted(message, { start, end: start + 13 })).toBe(true);
  });

  it('without anything to say is empty', async () => {
    expect((await recall({})).body).toMatchObject({ text: '', tokens: 0, items: [] });
    expect((await recall({ maxTokens: 50 })).status).toBe(400);
  });
});
