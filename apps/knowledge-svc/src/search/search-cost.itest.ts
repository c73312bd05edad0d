import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { derivedId, type SliceRequest } from '@clew/kernel';
import { explainSent, monitored, useTestEnvironment } from '@clew/testing';
import { createItemStore, itemCollection, itemFields } from '../items/index.ts';
import { likenessOf } from '../merging/index.ts';
import { itemWith } from '../test-support/items.ts';
import { PROJECT_ID, startTestService, type TestService } from '../test-support/service.ts';
import { directionOf, vectorAt } from '../test-support/vectors.ts';
import { createFindNear, MAX_LOOKED_AT } from './near-vectors.ts';
import { sieveOf } from './sieve.ts';
import { createFindByWords } from './word-matches.ts';

/** More items than a search looks at; `ITEM_COUNT=200000` shows that more items cost no more. */
const ITEM_COUNT = Number(process.env['ITEM_COUNT'] ?? 11_000);
const MODEL = 'self/minilm';
const BATCH = 2_000;
const LIMIT = 20;
const QUESTION = directionOf(1);

const environment = useTestEnvironment();
let service: TestService;

/** One of a hundred is near to the question. */
const likenesses = Array.from({ length: 100 }, (_, index) => {
  const values = vectorAt(index === 0 ? 0.6 : (index % 40) / 100, QUESTION, directionOf(100 + index));
  return likenessOf('A statement', { model: MODEL, values });
});

function documentOf(index: number) {
  const evidence = [
    {
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
      messageIndex: 0,
      quote: 'x'.repeat(200),
      startChar: 0,
      endChar: 200,
    },
  ].map((at) => ({ ...at, conversationId: 'c', isCurrent: true }));
  const item = itemWith({
    ...{ id: derivedId('kitm', String(index)), goalId: `goal_${index % 3}`, evidence, createdAt: index },
    ...{ title: `statement ${index}`, content: `word${index % 53}` },
  });
  return { ...itemFields(item), ...likenesses[index % likenesses.length] };
}

beforeAll(async () => {
  service = await startTestService(environment, { mongoUrl: monitored(environment.mongoUrl) });
  const items = itemCollection(service.database);
  for (let start = 0; start < ITEM_COUNT; start += BATCH) {
    await items.insertMany(Array.from({ length: BATCH }, (_, index) => documentOf(start + index)));
  }
}, 600_000);

afterAll(() => service.stop());

const nearTo = async () => {
  const find = createFindNear(service.database);
  const { found } = await find({
    projectId: PROJECT_ID,
    model: MODEL,
    vector: QUESTION,
    sieve: sieveOf({ status: 'not archived' }),
  });
  return found.map(({ id }) => id);
};

it(`the vectors of ${ITEM_COUNT} items are looked at in the index of the newest ${MAX_LOOKED_AT}, and few are read`, async () => {
  let found: string[] = [];
  const [scan, compared, ...others] = await explainSent(service.database, async () => {
    found = await nearTo();
  });
  expect(found).toHaveLength(50);
  expect(scan?.plan).not.toContain('SORT');
  expect(scan?.stats).toMatchObject({ totalDocsExamined: 0 });
  expect(scan?.stats.totalKeysExamined).toBeLessThanOrEqual(MAX_LOOKED_AT);
  expect(compared?.stats.totalDocsExamined).toBeLessThanOrEqual(200);
  expect(others).toEqual([]);
});

it('each page of a search reads as much of what has its words as without, in order, and what is near', async () => {
  const near = await nearTo();
  const store = createItemStore(service.database);
  let after: SliceRequest['after'];
  const seen = new Set<string>();
  for (let page = 1; page <= 4; page += 1) {
    const [byMeaning, ...byWords] = await explainSent(service.database, async () => {
      const slice = await store.list(PROJECT_ID, { q: 'word8' }, { limit: LIMIT, after }, near);
      for (const { id } of slice.items) seen.add(id);
      after = slice.next;
    });
    expect(byMeaning?.stats.totalDocsExamined).toBeLessThanOrEqual(50);
    for (const { plan } of byWords) expect(plan).not.toMatch(/SORT(?!_MERGE)/);
    // One item more than the limit, from the rest of the moment of the last one before, and from what is older.
    const examined = byWords.map(({ stats }) => stats.totalDocsExamined);
    expect(examined.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(LIMIT + 2);
    expect(byWords.length).toBeLessThanOrEqual(2);
  }
  expect(seen.size).toBe(4 * LIMIT);
});

it('takes about ten microseconds for each item that is looked at', async () => {
  const spent: { ms: number; ownMs: number }[] = [];
  for (let search = 0; search < 8; search += 1) {
    const [startedAtMs, used] = [performance.now(), process.cpuUsage()];
    await nearTo();
    const { user, system } = process.cpuUsage(used);
    spent.push({ ms: Math.round(performance.now() - startedAtMs), ownMs: Math.round((user + system) / 1_000) });
  }
  process.stdout.write(`${JSON.stringify({ items: ITEM_COUNT, lookedAt: MAX_LOOKED_AT, spent })}\n`);
  // Far above the usual time, because the machine may be busy with other work.
  expect(Math.min(...spent.map(({ ownMs }) => ownMs))).toBeLessThan(500);
});

it('words are looked up in the index alone, however many items have them, and few items are read', async () => {
  const findByWords = createFindByWords(service.database);
  const terms = ['statement', 'word8', '7', 'nowhere'];
  let lookedAt = 0;
  const sent = await explainSent(service.database, async () => {
    const found = await findByWords({ projectId: PROJECT_ID, terms, sieve: sieveOf({ status: 'not archived' }) });
    expect(found.isComplete).toBe(false);
    expect(found.ranked).toHaveLength(100);
    lookedAt = found.lookedAt;
  });
  expect(lookedAt).toBe(2_000);
  const reads = sent.filter(({ plan }) => plan.startsWith('find items:'));
  const whole = reads.pop();
  for (const { plan, stats } of reads) {
    expect(plan).not.toMatch(/COLLSCAN|FETCH|SORT/);
    expect(stats.totalDocsExamined).toBe(0);
  }
  expect(whole?.stats.totalDocsExamined).toBe(100);
  // Every item has the word "statement".
  expect(sent.reduce((keys, { stats }) => keys + stats.totalKeysExamined, 0)).toBeLessThan(10_000);
});
