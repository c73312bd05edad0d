import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Dataset } from '@clew/contracts';
import { eventually, explainSent, monitored, useTestEnvironment, type ExplainedCommand } from '@clew/testing';
import { type Call } from '@clew/testing/identities';
import { manualExample, startTestService, type TestService } from './test-support/service.ts';

const EXAMPLE_COUNT = 6_000;
const LIMIT = 50;
const KEY = { 'idempotency-key': 'one' };

const environment = useTestEnvironment();
let service: TestService;
let path: string;
let ids: string[];

async function fill(target: string, count: number): Promise<void> {
  for (let start = 0; start < count; start += 1_000) {
    service.clock.advance(1);
    const examples = Array.from({ length: Math.min(1_000, count - start) }, (_, index) =>
      manualExample(`${start + index}`, {
        source: { kind: 'manual', externalRef: 'x', derivationKey: `key-${start + index}` },
      }),
    );
    const answer = await service.call({ method: 'POST', path: `${target}/examples/batch`, body: { examples } });
    if (answer.status !== 201) throw new Error(answer.text);
  }
}

beforeAll(async () => {
  service = await startTestService(environment, { mongoUrl: monitored(environment.mongoUrl) });
  // Other Examples, in the same project and in another, that must not be read.
  await fill((await service.newDataset()).path, 1_000);
  ({ path } = await service.newDataset());
  await fill(path, EXAMPLE_COUNT);
  const { body } = await service.call<{ examples: { id: string }[] }>({ path: `${path}/examples?limit=1000` });
  ids = body.examples.map(({ id }) => id);
}, 120_000);

afterAll(() => service.stop());

const explained = (call: Call): Promise<ExplainedCommand[]> =>
  explainSent(service.database, async () => {
    const answer = await service.call(call);
    if (answer.status >= 400) throw new Error(answer.text);
  });

/** Statistics of the one query that reads a page of Examples. */
async function pageStats(query: string) {
  const commands = await explained({ path: `${path}/examples?limit=${LIMIT}${query}` });
  return commands.find(({ plan }) => plan.startsWith('find examples:'))!.stats;
}

async function cursorOfPage(page: number, query = ''): Promise<string> {
  let cursor: string | null = '';
  for (let index = 1; index < page; index += 1) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await service.call<{ nextCursor: string | null }>({
      path: `${path}/examples?limit=${LIMIT}${query}${more}`,
    });
    cursor = body.nextCursor;
  }
  return `&cursor=${cursor}`;
}

describe(`the list of ${EXAMPLE_COUNT} Examples`, () => {
  it('reads no more documents for its hundredth page than for its first', async () => {
    for (const query of ['', await cursorOfPage(100)]) {
      const { nReturned, totalDocsExamined } = await pageStats(query);
      expect({ query, totalDocsExamined }).toEqual({ query, totalDocsExamined: nReturned });
    }
  });

  it('reads no more documents at an early version, however much was added since', async () => {
    for (const query of ['&version=1', `&version=1${await cursorOfPage(10, '&version=1')}`]) {
      const { nReturned, totalDocsExamined, totalKeysExamined } = await pageStats(query);
      expect({ query, totalDocsExamined }).toEqual({ query, totalDocsExamined: nReturned });
      // Entries with the cursor's millisecond are skipped within the index.
      expect(totalKeysExamined).toBeLessThan(1_100);
    }
  });
});

describe(`the list of one split of ${EXAMPLE_COUNT} Examples`, () => {
  it('looks for its Examples in the index alone, and reads no more documents than it answers', async () => {
    const query = 'split=test&ratio=80,10,10&limit=20';
    const { body } = await service.call<{ nextCursor: string }>({ path: `${path}/examples?${query}` });
    for (const more of ['', `&cursor=${body.nextCursor}`]) {
      const commands = await explained({ path: `${path}/examples?${query}${more}` });
      const reads = commands.filter(({ plan }) => /^find example/.test(plan));
      // Places and documents, each from current Examples and from revisions.
      expect(reads.length).toBeGreaterThanOrEqual(4);
      const examined = reads.map(({ stats }) => stats.totalDocsExamined);
      expect(examined.reduce((sum, count) => sum + count, 0)).toBe(20);
    }
  });
});

describe('every other command of the service', () => {
  const post = (at: string, body: unknown, headers = {}) => ({ method: 'POST', path: at, body, headers }) as const;
  const upsert = {
    examples: [manualExample('x', { source: { kind: 'manual', externalRef: 'x', derivationKey: 'key-7' } })],
  };

  it.each<[string, () => Call]>([
    ['Datasets are listed', () => ({ path: '/datasets?limit=5' })],
    ['a Dataset is read', () => ({ path })],
    ['a Dataset is changed', () => ({ method: 'PATCH', path, body: { name: 'other' } })],
    ['a Dataset is made once', () => post('/datasets', { name: 'x', schema: { type: 'chat', version: 1 } }, KEY)],
    ['an Example is made once', () => post(`${path}/examples`, manualExample(), KEY)],
    ['an Example is read', () => ({ path: `${path}/examples/${ids[5]}` })],
    ['an Example is read at a version', () => ({ path: `${path}/examples/${ids[5]}?version=6` })],
    ['an Example is changed', () => ({ method: 'PATCH', path: `${path}/examples/${ids[6]}`, body: { tags: ['a'] } })],
    ['an Example is deleted', () => ({ method: 'DELETE', path: `${path}/examples/${ids[7]}` })],
    ['an Example is erased', () => ({ method: 'DELETE', path: `${path}/examples/${ids[8]}?erase=true` })],
    ['Examples are upserted', () => post(`${path}/examples/batch?onConflict=update`, upsert)],
    ['versions are listed', () => ({ path: `${path}/versions?limit=2` })],
    ['versions are compared', () => ({ path: `${path}/versions/diff?from=2&to=7&limit=20` })],
    [
      'versions are compared with their Examples',
      () => ({ path: `${path}/versions/diff?from=2&to=7&limit=20&include=examples` }),
    ],
    ['Examples are counted', () => ({ path: `${path}/examples/counts?by=tag,sourceKind,split&tag=good` })],
  ])('finds what it wants by an index when %s', async (_name, call) => {
    const commands = await explained(call());
    expect(commands.length).toBeGreaterThan(0);
    for (const { plan, stats } of commands) {
      expect({ plan, isFew: stats.totalDocsExamined <= 1_010 }).toEqual({ plan, isFew: true });
    }
  });

  it('removes a Dataset by an index, page by page', async () => {
    const { path: doomed } = await service.newDataset();
    await fill(doomed, 2_000);
    const commands = await explainSent(service.database, async () => {
      // A slow machine needs several requests for the removal.
      await eventually(async () => expect((await service.call({ method: 'DELETE', path: doomed })).status).toBe(204));
    });
    const plans = commands.map(({ plan }) => plan.split(':')[0]);
    expect(plans.filter((plan) => plan === 'find examples').length).toBeGreaterThanOrEqual(3);
    const { body } = await service.call<Dataset>({ path });
    expect(body.exampleCount).toBeGreaterThan(5_900);
  });
});
