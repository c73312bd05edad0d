import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SPLITS, type Example } from '@clew/contracts';
import { propertyRuns, useTestEnvironment } from '@clew/testing';
import { manualExample, startTestService, type TestService } from '../test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

interface List {
  examples: Example[];
  nextCursor: string | null;
}

const get = (path: string, query: string) => service.call<List>({ path: `${path}/examples?${query}` });

async function listed(path: string, query: string, limit: number, between = async () => undefined as unknown) {
  const found: Example[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { status, body } = await get(path, `${query}&limit=${limit}${more}`);
    expect({ status, fits: body.examples.length <= limit }).toEqual({ status: 200, fits: true });
    found.push(...body.examples);
    cursor = body.nextCursor;
    await between();
  }
  return found;
}

async function exportedIds(path: string, query: string): Promise<string[]> {
  const { text } = await service.transfers.download(`${path}/export?format=jsonl&${query}`);
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => (JSON.parse(line) as { payload: { input: { text: string } } }).payload.input.text);
}

const textsOf = (examples: readonly Example[]) =>
  examples.map(({ payload }) => (payload.input as { text: string }).text);
const conversation = (name: string, number: number, tags: string[] = []) =>
  manualExample(name, {
    source: { kind: 'conversation', conversationId: `c${number}`, traceIds: ['t'] },
    tags,
  });

async function filled(examples: readonly unknown[]): Promise<string> {
  const { path } = await service.newDataset();
  for (let start = 0; start < examples.length; start += 40) {
    service.clock.advance(1);
    const body = { examples: examples.slice(start, start + 40) };
    expect((await service.call({ method: 'POST', path: `${path}/examples/batch`, body })).status).toBe(201);
  }
  return path;
}

/** Examples of which each two share a conversation. */
const examplesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => conversation(`text ${index}`, index >> 1));

describe('the list of the Examples of one split', () => {
  it('holds what an export of the split holds, in its order, page by page, and says so of each', async () => {
    const path = await filled(examplesOf(300));
    await service.call({ method: 'DELETE', path: `${path}/examples/${(await listed(path, '', 1000))[7]?.id}` });
    const all = new Set<string>();
    for (const split of SPLITS) {
      const query = `split=${split}&ratio=50,30,20`;
      const examples = await listed(path, query, 7);
      expect(textsOf(examples)).toEqual(await exportedIds(path, query));
      expect(examples.length).toBeGreaterThan(20);
      expect(new Set(examples.map((example) => example.split))).toEqual(new Set([split]));
      examples.forEach(({ id }) => all.add(id));
    }
    expect(all.size).toBe(299);
    expect((await listed(path, '', 1000))[0]).not.toHaveProperty('split');
  });

  it('holds only what tags name where no ratio is given', async () => {
    const path = await filled([conversation('a', 1, ['split:test']), conversation('b', 1), conversation('c', 2)]);
    expect(textsOf(await listed(path, 'split=test', 1)).toSorted()).toEqual(['a', 'b']);
    expect(await listed(path, 'split=train', 1)).toEqual([]);
    expect(textsOf(await listed(path, 'split=train&ratio=100,0,0', 1))).toEqual(['c']);
  });

  it('is of the version that was current at its first page, whatever changes during the walk', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 2 }), async (limit, at) => {
        const path = await filled(examplesOf(60));
        const query = `split=${SPLITS[at]}&ratio=40,30,30`;
        const before = await exportedIds(path, query);
        const examples = await listed(path, '', 1000);
        const walked = await listed(path, query, limit, async () => {
          // The oldest ones, which the walk has not reached yet.
          const [first, second] = examples.splice(-2, 2);
          if (first === undefined || second === undefined) return;
          await service.call({ method: 'DELETE', path: `${path}/examples/${first.id}` });
          const body = { tags: ['split:test'] };
          await service.call({ method: 'PATCH', path: `${path}/examples/${second.id}`, body });
          await service.newExample(path, conversation('new', 1));
        });
        expect(textsOf(walked)).toEqual(before);
      }),
      propertyRuns(5),
    );
  });

  it('can be had at an earlier version', async () => {
    const path = await filled(examplesOf(80));
    const query = 'version=1&split=train&ratio=50,25,25';
    expect(textsOf(await listed(path, query, 9))).toEqual(await exportedIds(path, query));
    expect((await listed(path, query, 9)).length).toBeLessThan(41);
  });

  it('has pages that end before they get too large, and loses nothing by it', async () => {
    const large = 'x'.repeat(3_000_000);
    const path = await filled(Array.from({ length: 6 }, (_, index) => conversation(`${index} ${large}`, index)));
    const { body } = await get(path, 'split=train&ratio=100,0,0&limit=100');
    expect(body.examples.length).toBeLessThan(3);
    const all = await listed(path, 'split=train&ratio=100,0,0', 100);
    expect(new Set(all.map(({ id }) => id)).size).toBe(6);
    expect(all).toHaveLength(6);
  });

  it('refuses a cursor of another split or ratio, and a ratio without a split', async () => {
    const path = await filled(examplesOf(60));
    const { body } = await get(path, 'split=train&ratio=60,20,20&limit=1');
    const cursor = `&limit=1&cursor=${body.nextCursor}`;
    expect((await get(path, `split=train&ratio=60,20,20${cursor}`)).status).toBe(200);
    for (const query of ['split=test&ratio=60,20,20', 'split=train&ratio=50,30,20', 'split=train', 'limit=1']) {
      expect((await get(path, `${query.replace('limit=1', 'version=1')}${cursor}`)).status).toBe(400);
    }
    for (const query of ['ratio=60,20,20', 'split=dev', 'split=train&ratio=1,2,3']) {
      expect((await get(path, query)).status).toBe(400);
    }
  });
});
