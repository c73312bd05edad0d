import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clew } from '@clew/sdk';
import { eventually } from '@clew/testing';
import { CHAT_V1, manualExample } from './support/datasets.ts';
import { FAULTS, startFaultyRelay, type FaultyRelay } from './support/faulty-relay.ts';
import { runningStack } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

/** Number of times that each fault happens to each kind of call. */
const TIMES = Number(process.env['CLEW_SDK_FAULTS'] ?? '4');
/** Number of Examples that are walked through, a tenth of which change meanwhile. */
const WALKED = Number(process.env['CLEW_SDK_WALKED'] ?? '2000');
const HEAP_GROWTH_BYTES = 64 * 1_048_576;

let project: TestProject;
let relay: FaultyRelay;
let clew: Clew;
let faulty: Clew;

beforeAll(async () => {
  project = await createTestProject('sdk');
  relay = await startFaultyRelay(runningStack().gatewayUrl);
  clew = new Clew({ baseUrl: runningStack().gatewayUrl, apiKey: project.apiKey, project: project.id });
  faulty = new Clew({ baseUrl: relay.url, apiKey: project.apiKey, project: project.id });
});
afterAll(() => relay.close());

async function newDataset(name: string): Promise<string> {
  return (await clew.datasets.create({ name, schema: CHAT_V1 })).id;
}

const example = (text: string) => manualExample(text) as Parameters<Clew['examples']['create']>[1];

describe.each(FAULTS)('a call whose first attempt meets a fault (%s)', (fault) => {
  it('takes effect exactly once', async () => {
    const datasetId = await newDataset(`faults: ${fault}`);
    const before = relay.faults;
    relay.break(fault);
    for (let time = 0; time < TIMES; time += 1) {
      const { id } = await faulty.examples.create(datasetId, example(`made ${time}`));
      await faulty.examples.update(datasetId, id, { tags: [`changed-${time}`] });
      const { id: removed } = await faulty.examples.create(datasetId, example(`removed ${time}`));
      await faulty.examples.delete(datasetId, removed);
      await faulty.examples.createMany(datasetId, { examples: [example(`one ${time}`), example(`other ${time}`)] });
      const file = `${JSON.stringify(example(`imported ${time}`))}\n`;
      expect(await faulty.datasets.import(datasetId, file, { format: 'jsonl' })).toMatchObject({ imported: 1 });
    }
    relay.break(undefined);
    expect(relay.faults - before).toBe(6 * TIMES);
    const examples = await clew.examples.list(datasetId, { limit: 1_000 }).toArray({ max: 10_000 });
    const texts = examples.map(({ payload }) => (payload.input as { text: string }).text);
    const kinds = ['made', 'one', 'other', 'imported'];
    const wanted = Array.from({ length: TIMES }, (_, time) => kinds.map((kind) => `${kind} ${time}`)).flat();
    expect(texts.toSorted()).toEqual(wanted.toSorted());
    expect(examples.flatMap(({ tags }) => tags).toSorted()).toEqual(
      Array.from({ length: TIMES }, (_, time) => `changed-${time}`).toSorted(),
    );
  }, 600_000);
});

describe('a walk over a list', () => {
  it('misses nothing that was there throughout, while others change, in bounded memory', async () => {
    const datasetId = await newDataset('walked');
    const lines = Iterator.from(Array(WALKED).keys()).map((index) => example(`walked ${index}`));
    await clew.datasets.import(datasetId, lines, { format: 'jsonl' });
    const ids = new Set<string>();
    for await (const { id } of clew.examples.list(datasetId, { limit: 1_000 })) ids.add(id);
    expect(ids.size).toBe(WALKED);
    let isWalking = true;
    let changes = 0;
    const changing = (async () => {
      for (const id of [...ids].filter((_, index) => index % 10 === 0)) {
        await clew.examples.update(datasetId, id, { tags: ['changed'] });
        changes += 1;
        if (!isWalking) return;
      }
    })();
    const seen = new Set<string>();
    let heap = 0;
    const heapBefore = process.memoryUsage().heapUsed;
    for await (const { id } of clew.examples.list(datasetId, { limit: Math.max(10, WALKED / 200) })) {
      seen.add(id);
      if (seen.size % 5_000 === 0) heap = Math.max(heap, process.memoryUsage().heapUsed);
    }
    isWalking = false;
    await changing;
    expect([...ids].filter((id) => !seen.has(id))).toEqual([]);
    expect(changes).toBeGreaterThan(0);
    expect(heap - heapBefore).toBeLessThan(HEAP_GROWTH_BYTES);
  }, 1_200_000);
});

describe('the SDK', () => {
  it('hears of a conversation that it imported, and finds it', async () => {
    const controller = new AbortController();
    const heard = new Set<string>();
    const listening = (async () => {
      for await (const event of clew.events.listen({ signal: controller.signal }))
        heard.add((event as { type: string }).type);
    })().catch(() => undefined);
    await eventually(() => expect(heard).toContain('ready'));
    const messages = [
      { role: 'user', content: 'What is 2 + 2?' },
      { role: 'assistant', content: '4' },
    ];
    const report = await clew.conversations.import([{ id: 'sdk-1', messages }]);
    expect(report).toMatchObject({ imported: 1 });
    await eventually(() => expect(heard).toContain('conversation'));
    expect((await clew.conversations.get('sdk-1')).messages).toHaveLength(2);
    await eventually(async () => {
      const [listed] = await clew.conversations.list({ q: 'what' }).toArray({ max: 1 });
      expect(listed?.id).toBe('sdk-1');
    });
    controller.abort();
    await listening;
  });

  it('changes a thing that somebody else has changed meanwhile, on what it is by then', async () => {
    const datasetId = await newDataset('edited');
    let isFirst = true;
    const edited = await clew.edit(
      () => clew.datasets.get(datasetId),
      async ({ name }, options) => {
        if (isFirst) await clew.datasets.update(datasetId, { name: 'theirs' });
        isFirst = false;
        return await clew.datasets.update(datasetId, { name: `${name}, and mine` }, options);
      },
    );
    expect(edited.name).toBe('theirs, and mine');
  });

  it('exports what it imported, line by line', async () => {
    const datasetId = await newDataset('exported');
    await clew.datasets.import(datasetId, [example('a'), example('b')], { format: 'jsonl' });
    const texts: unknown[] = [];
    for await (const line of clew.datasets.export(datasetId))
      texts.push((line as { payload: { input: { text: string } } }).payload.input.text);
    expect(texts.toSorted()).toEqual(['a', 'b']);
  });
});
