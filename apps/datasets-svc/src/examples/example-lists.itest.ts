import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SOURCE_KINDS, type Dataset, type Example, type EXAMPLE_FILTERS, type NewExample } from '@clew/contracts';
import { MAX_COMPARED, nativeDb } from '@clew/persistence';
import { explainSent, monitored, useTestEnvironment } from '@clew/testing';
import { migrations } from '../migrations.ts';
import { manualExample, startTestService, type TestService } from '../test-support/service.ts';
import { exampleCollection } from './example.model.ts';

const EXAMPLE_COUNT = 2_000;
const LIMIT = 20;

const environment = useTestEnvironment();
let service: TestService;
let path: string;

function exampleOf(index: number): NewExample {
  const kind = SOURCE_KINDS[index % 4]!;
  const source = { kind, externalRef: 'x', conversationId: `c${index % 37}`, traceIds: ['t'] };
  const text = `question ${index} about word${index % 53}`;
  return manualExample(text, { source, tags: [`tag${index % 7}`, `half${index % 2}`] } as Partial<NewExample>);
}

const documents = Array.from({ length: EXAMPLE_COUNT }, (_, index) => exampleOf(index));

async function fill(target: string, examples: readonly unknown[]): Promise<Example[]> {
  const made: Example[] = [];
  for (let start = 0; start < examples.length; start += 1_000) {
    service.clock.advance(1);
    const body = { examples: examples.slice(start, start + 1_000) };
    const answer = await service.call<{ examples: Example[] }>({
      method: 'POST',
      path: `${target}/examples/batch`,
      body,
    });
    if (answer.status !== 201) throw new Error(answer.text);
    made.push(...answer.body.examples);
  }
  return made;
}

beforeAll(async () => {
  service = await startTestService(environment, { mongoUrl: monitored(environment.mongoUrl) });
  ({ path } = await service.newDataset());
  await fill(path, documents);
}, 120_000);

afterAll(() => service.stop());

/** Choices of every filter that the route declares. */
const CHOICES: Readonly<
  Record<keyof typeof EXAMPLE_FILTERS, [value: string, isOf: (example: NewExample) => boolean][]>
> = {
  tag: [
    ['tag3', ({ tags }) => tags.includes('tag3')],
    ['half1', ({ tags }) => tags.includes('half1')],
    ['none', () => false],
  ],
  sourceKind: SOURCE_KINDS.map((kind) => [kind, ({ source }) => source.kind === kind]),
  conversationId: [['c5', ({ source }) => source.conversationId === 'c5']],
  q: [
    ['word7', (example) => textOf(example).endsWith(' word7')],
    ['ABOUT question', () => true],
    ['...', () => false],
  ],
};
const textOf = ({ payload: { input } }: NewExample) => (input.type === 'text' ? input.text : '');

type Combination = [name: string, value: string, isOf: (example: NewExample) => boolean][];

function combinations(): Combination[] {
  let all: Combination[] = [[]];
  for (const [name, choices] of Object.entries(CHOICES)) {
    all = all.flatMap((some) => [some, ...choices.map(([value, isOf]): Combination => [...some, [name, value, isOf]])]);
  }
  return all.filter((_, index) => index % 3 === 0 || index < 40);
}

describe('the list of Examples', () => {
  it('reads every combination of its filters in the order of an index, and finds what they select', async () => {
    for (const combination of combinations()) {
      const query = combination.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
      const shown: Example[] = [];
      const commands = await explainSent(service.database, async () => {
        const { status, text, body } = await service.call<{ examples: Example[] }>({
          path: `${path}/examples?limit=${LIMIT}&${query}`,
        });
        if (status !== 200) throw new Error(`${query}: ${text}`);
        shown.push(...body.examples);
      });
      const expected = documents.filter((example) => combination.every(([, , isOf]) => isOf(example)));
      expect([query, shown.length]).toEqual([query, Math.min(LIMIT, expected.length)]);
      for (const example of shown) expect(combination.every(([, , isOf]) => isOf(example))).toBe(true);
      for (const { plan, stats } of commands.filter((command) => command.plan.startsWith('find examples:'))) {
        expect([query, plan]).toEqual([query, expect.not.stringMatching(/COLLSCAN|SORT(?!_MERGE)/)]);
        expect(stats.totalDocsExamined).toBeLessThanOrEqual(MAX_COMPARED);
      }
    }
  }, 300_000);

  it('shows each Example once on a walk through its pages', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = await service.call<{ examples: Example[]; nextCursor: string | null }>({
        path: `${path}/examples?limit=50&tag=half1&q=about${more}`,
      });
      seen.push(...page.body.examples.map(({ id }) => id));
      cursor = page.body.nextCursor;
    }
    expect([seen.length, new Set(seen).size]).toEqual([1_000, 1_000]);
  });

  it.each(['tag=a&version=1', 'q=a&split=test', 'sourceKind=other', 'tag='])('refuses %s', async (query) => {
    expect((await service.call({ path: `${path}/examples?${query}` })).status).toBe(400);
  });

  it('finds Examples that were stored before there were filters, after the migration', async () => {
    const examples = exampleCollection(service.database);
    await examples.updateMany({}, { $unset: { facets: '', terms: '', sourceKind: '' } });
    await migrations.find(({ id }) => id === '0003-facets')?.up(service.database.connection);
    const { body } = await service.call<{ examples: Example[] }>({ path: `${path}/examples?tag=tag3&q=word7` });
    expect(body.examples.length).toBeGreaterThan(0);
    expect(
      await nativeDb(service.database.connection)
        .collection('example_revisions')
        .countDocuments({ terms: { $exists: true } }),
    ).toBe(0);
  });
});

describe('a change of many Examples', () => {
  interface Results {
    results: { exampleId: string; outcome: string; version?: number; error?: { code?: string } }[];
  }
  const update = (target: string, body: unknown, headers = {}) =>
    service.call<Results>({ method: 'POST', path: `${target}/examples/bulk-updates`, body, headers });
  const outcomes = ({ body }: { body: Results }) => body.results.map(({ outcome, error }) => error?.code ?? outcome);

  it('tags them in one version, each with its own outcome', async () => {
    const { path: target } = await service.newDataset();
    const [one, two, three] = (await fill(target, documents.slice(0, 3))) as [Example, Example, Example];
    const named = [{ exampleId: one.id, version: 1 }, { exampleId: two.id, version: 9 }, { exampleId: three.id }];
    const change = { addTags: ['good', 'half0'], removeTags: ['tag0'] };
    const body = { examples: [...named, { exampleId: 'ex_none' }], change };
    const first = await update(target, body, { 'idempotency-key': 'once' });
    expect(outcomes(first)).toEqual(['updated', 'PRECONDITION_FAILED', 'updated', 'NOT_FOUND']);
    expect((await update(target, body, { 'idempotency-key': 'once' })).body).toEqual(first.body);
    expect(outcomes(await update(target, { ...body, examples: [{ exampleId: one.id }] }))).toEqual(['unchanged']);
    const read = async (id: string) => (await service.call<Example>({ path: `${target}/examples/${id}` })).body;
    expect([(await read(one.id)).tags, (await read(one.id)).version, (await read(two.id)).version]).toEqual([
      ['half0', 'good'],
      2,
      1,
    ]);
    expect((await service.call<Dataset>({ path: target })).body.version).toBe(2);
    const found = await service.call<{ examples: Example[] }>({ path: `${target}/examples?tag=good` });
    expect(found.body.examples.map(({ id }) => id).sort()).toEqual([one.id, three.id].sort());
  });

  it('deletes them; those that are gone stay so', async () => {
    const { path: target } = await service.newDataset();
    const made = await fill(target, documents.slice(0, 3));
    const body = { examples: made.slice(0, 2).map(({ id: exampleId }) => ({ exampleId })), change: { delete: true } };
    expect(outcomes(await update(target, body))).toEqual(['deleted', 'deleted']);
    expect(outcomes(await update(target, body))).toEqual(['unchanged', 'unchanged']);
    expect((await service.call<Dataset>({ path: target })).body).toMatchObject({ exampleCount: 1, version: 2 });
  });

  it.each([{}, { delete: true, addTags: ['a'] }, { delete: false }, { addTags: [''] }])(
    'refuses %j',
    async (change) => {
      expect((await update(path, { examples: [{ exampleId: 'x' }], change })).status).toBe(400);
    },
  );
});

describe('the list of Datasets', () => {
  it('is filtered by the words of its name and by what it collects', async () => {
    for (const [name, more] of [
      ['Refund answers', { collectionObjective: 'preserve_successful_behavior' }],
      ['Refund questions', {}],
      ['Other answers', {}],
    ] as const) {
      service.clock.advance(1);
      await service.newDataset(undefined, { name, ...more });
    }
    const list = async (query: string) =>
      (await service.call<{ datasets: Dataset[] }>({ path: `/datasets?${query}` })).body.datasets.map(
        ({ name }) => name,
      );
    expect(await list('q=refund')).toEqual(['Refund questions', 'Refund answers']);
    expect(await list('q=ANSW%20ref')).toEqual(['Refund answers']);
    expect(await list('q=fund')).toEqual([]);
    expect(await list('q=refund&collectionStatus=ready')).toEqual(['Refund answers']);
    expect(await list('q=refund&limit=1')).toEqual(['Refund questions']);
    expect((await service.call({ path: '/datasets?collectionStatus=on' })).status).toBe(400);
  });
});
