import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SOURCE_KINDS, type Example, type NewExample } from '@clew/contracts';
import { MAX_COMPARED } from '@clew/persistence';
import { explainSent, monitored, useTestEnvironment } from '@clew/testing';
import { manualExample, startTestService, type TestService } from '../test-support/service.ts';
import type { ExampleCounts } from './example-counts.store.ts';

const EXAMPLE_COUNT = 300;
const MANY = MAX_COMPARED + 1_000;

const environment = useTestEnvironment();
let service: TestService;
let path: string;

function exampleOf(index: number): NewExample {
  const kind = SOURCE_KINDS[index % 4]!;
  const source = { kind, externalRef: 'x', conversationId: `c${index % 7}`, traceIds: ['t'] };
  const split = index % 10 === 0 ? ['split:test'] : [];
  const tags = [`half${index % 2}`, `tag${index % 5}`, ...split];
  return manualExample(`question ${index} about word${index % 3}`, { source, tags } as Partial<NewExample>);
}

const documents = Array.from({ length: EXAMPLE_COUNT }, (_, index) => exampleOf(index));

async function fill(target: string, examples: readonly unknown[]): Promise<void> {
  for (let start = 0; start < examples.length; start += 1_000) {
    service.clock.advance(1);
    const body = { examples: examples.slice(start, start + 1_000) };
    const answer = await service.call<{ examples: Example[] }>({
      ...{ method: 'POST', path: `${target}/examples/batch`, body },
    });
    if (answer.status !== 201) throw new Error(answer.text);
  }
}

beforeAll(async () => {
  service = await startTestService(environment, { mongoUrl: monitored(environment.mongoUrl) });
  // Others in the same project, which must not be counted.
  await fill((await service.newDataset()).path, [exampleOf(1)]);
  ({ path } = await service.newDataset());
  await fill(path, documents);
}, 120_000);

afterAll(() => service.stop());

async function countsOf(query: string, target = path): Promise<ExampleCounts> {
  const { status, body, text } = await service.call<ExampleCounts>({
    path: `${target}/examples/counts?by=tag,sourceKind,split${query}`,
  });
  if (status !== 200) throw new Error(text);
  return body;
}

/** Counts of the Examples by values that each has. */
function tally(some: readonly NewExample[], valuesOf: (example: NewExample) => readonly string[]) {
  const counts = Map.groupBy(
    some.flatMap((example) => valuesOf(example)),
    (value) => value,
  );
  return Object.fromEntries([...counts].map(([value, all]) => [value, all.length]));
}

const asObject = (counts: readonly { value: string; count: number }[] = []) =>
  Object.fromEntries(counts.flatMap(({ value, count }) => (count === 0 ? [] : [[value, count]])));

const about = ({ payload: { input } }: NewExample) => (input.type === 'text' ? input.text : '');

describe('counts of Examples', () => {
  it.each([
    ['', () => true],
    ['&tag=half1', ({ tags }) => tags.includes('half1')],
    ['&sourceKind=import', ({ source }) => source.kind === 'import'],
    ['&conversationId=c3&tag=tag2', ({ source, tags }) => source.conversationId === 'c3' && tags.includes('tag2')],
    ['&q=word1&sourceKind=manual', (example) => about(example).endsWith('word1') && example.source.kind === 'manual'],
    ['&q=...', () => false],
    ['&tag=none', () => false],
  ] as [string, (example: NewExample) => boolean][])(
    'with the filter %j are those of the list',
    async (query, isOf) => {
      const some = documents.filter(isOf);
      const { total, counts } = await countsOf(query);
      expect(total).toEqual({ count: some.length, atLeast: false });
      expect(asObject(counts.tag)).toEqual(tally(some, ({ tags }) => tags));
      expect(asObject(counts.sourceKind)).toEqual(tally(some, ({ source }) => [source.kind]));
      expect(asObject(counts.split)).toEqual(tally(some, ({ tags }) => (tags.includes('split:test') ? ['test'] : [])));
      expect(counts.sourceKind?.map(({ value }) => value)).toEqual(SOURCE_KINDS);
    },
  );

  it('have the tags that the most Examples have first, and only the fields that are asked for', async () => {
    const { counts } = await countsOf('');
    const numbers = counts.tag?.map(({ count }) => count) ?? [];
    expect(numbers).toEqual(numbers.toSorted((one, other) => other - one));
    const { body } = await service.call<ExampleCounts>({ path: `${path}/examples/counts?sourceKind=manual` });
    expect(body).toEqual({ total: { count: 75, atLeast: false }, counts: {} });
  });

  it.each([
    ['?by=none', 400],
    ['?by=tag,tag', 400],
    ['?limit=1', 400],
    ['?version=1', 400],
  ])('refuse %s', async (query, status) => {
    expect((await service.call({ path: `${path}/examples/counts${query}` })).status).toBe(status);
  });

  it('of a Dataset that is not there are 404', async () => {
    const missing = path.replace(/dst_\w+/, 'dst_01JZZZZZZZZZZZZZZZZZZZZZZZ');
    expect((await service.call({ path: `${missing}/examples/counts` })).status).toBe(404);
  });

  it('of more Examples than are looked at are exact for tags and kinds, and say so where they are not', async () => {
    const { path: large } = await service.newDataset();
    const tagged = (index: number) =>
      manualExample(`many ${index}`, { tags: index % 2 === 0 ? ['even', 'all'] : ['all'] });
    await fill(
      large,
      Array.from({ length: MANY }, (_, index) => tagged(index)),
    );
    const commands = await explainSent(service.database, async () => {
      const { total, counts } = await countsOf('', large);
      expect(total).toEqual({ count: MANY, atLeast: false });
      expect(asObject(counts.tag)).toEqual({ all: MANY, even: MANY / 2 });
      expect(asObject(counts.sourceKind)).toEqual({ manual: MANY });
      expect(counts.split?.every(({ atLeast }) => atLeast)).toBe(true);
      const some = await countsOf('&tag=even&q=many', large);
      expect(some.total.count).toBe(MANY / 2);
    });
    for (const { plan, stats } of commands) {
      expect(plan).not.toMatch(/COLLSCAN/);
      expect({ plan, isBounded: stats.totalDocsExamined <= MAX_COMPARED }).toEqual({ plan, isBounded: true });
    }
  }, 120_000);
});
