import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ExportedExample, type Dataset, type Example, type ExportFormat, type NewExample } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { propertyRuns, useTestEnvironment } from '@clew/testing';
import { anyExample } from '../test-support/any-example.ts';
import { manualExample, startTestService, type TestService } from '../test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

const dataset = async (path: string) => (await service.call<Dataset>({ path })).body;
const fill = async (path: string, examples: readonly unknown[]) => {
  for (let start = 0; start < examples.length; start += 1_000) {
    const body = { examples: examples.slice(start, start + 1_000) };
    expect((await service.call({ method: 'POST', path: `${path}/examples/batch`, body })).status).toBe(201);
  }
};
const exported = async (path: string, query: string) => {
  const { status, text, headers, trailers } = await service.transfers.download(`${path}/export?${query}`);
  expect(status).toBe(200);
  return { lines: text.split('\n').filter((line) => line !== ''), text, headers, trailers };
};

describe('an export', () => {
  it.each<ExportFormat>(['jsonl', 'csv'])('of %s that is imported again has the same content id', async (format) => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyExample(), { minLength: 1, maxLength: 30 }), async (examples) => {
        const [from, to] = [await service.newDataset(), await service.newDataset()];
        await fill(from.path, examples);
        const { text, lines, trailers, headers } = await exported(from.path, `format=${format}`);
        if (format === 'jsonl') for (const line of lines) ExportedExample.strict().parse(JSON.parse(line));
        expect(trailers).toEqual({
          'x-clew-exported-count': String(examples.length),
          'x-clew-left-out-count': '0',
        });
        const { report } = await service.transfers.upload(`${to.path}/imports?format=${format}`, text);
        expect(report).toMatchObject({ imported: examples.length, refused: [] });
        expect((await dataset(to.path)).contentId).toBe(headers['x-clew-content-id']);
        expect((await dataset(from.path)).contentId).toBe(headers['x-clew-content-id']);
      }),
      propertyRuns(8),
    );
  });

  it('holds no formula that a spreadsheet would run', async () => {
    const { path } = await service.newDataset();
    await fill(path, [manualExample('=HYPERLINK("http://evil")'), manualExample('+1'), manualExample("'@x")]);
    const { text } = await exported(path, 'format=csv');
    expect(text).toContain(`"'=HYPERLINK(""http://evil"")"`);
    expect(text).toContain(",'+1,");
    expect(text).toContain(",''@x,");
  });

  it('tells how many Examples a format cannot hold', async () => {
    const { path } = await service.newDataset();
    await fill(path, [
      manualExample('no output'),
      manualExample('x', { payload: { input: { type: 'text', text: 'zero \0' } } }),
      pair('both'),
    ]);
    const left = async (format: ExportFormat) => (await exported(path, `format=${format}`)).trailers;
    expect(await left('csv')).toMatchObject({ 'x-clew-exported-count': '2', 'x-clew-left-out-count': '1' });
    expect(await left('openai-sft')).toMatchObject({ 'x-clew-exported-count': '1', 'x-clew-left-out-count': '2' });
    expect(await left('openai-dpo')).toMatchObject({ 'x-clew-exported-count': '1', 'x-clew-left-out-count': '2' });
    expect(await left('jsonl')).toMatchObject({ 'x-clew-exported-count': '3', 'x-clew-left-out-count': '0' });
  });

  it.each<ExportFormat>(['openai-sft', 'openai-dpo'])(
    'as %s can be imported as openai-chat, with the same words',
    async (format) => {
      const [from, to] = [await service.newDataset(), await service.newDataset()];
      await fill(from.path, [pair('Hello?'), toolCall()]);
      const { text } = await exported(from.path, `format=${format}`);
      const { report } = await service.transfers.upload(`${to.path}/imports?format=openai-chat`, text);
      expect(report).toMatchObject({ imported: format === 'openai-sft' ? 2 : 1, refused: [] });
      const again = await exported(to.path, `format=${format}`);
      expect(again.lines.toSorted()).toEqual(text.trim().split('\n').toSorted());
    },
  );

  it('at a version holds what the Dataset held then, whatever was changed since', async () => {
    const { path } = await service.newDataset();
    await fill(path, [manualExample('one'), manualExample('two')]);
    const { version, contentId } = await dataset(path);
    const { examples } = (await service.call<{ examples: Example[] }>({ path: `${path}/examples` })).body;
    await service.call({ method: 'DELETE', path: `${path}/examples/${examples[0]?.id}` });
    await service.call({
      method: 'PATCH',
      path: `${path}/examples/${examples[1]?.id}`,
      body: { payload: { input: { type: 'text', text: 'changed' } } },
    });
    const { lines, headers } = await exported(path, `version=${version}`);
    expect(lines.map((line) => (JSON.parse(line) as Example).id)).toEqual(examples.map(({ id }) => id));
    expect(headers).toMatchObject({ 'x-clew-content-id': contentId, 'x-clew-dataset-version': String(version) });
    expect((await exported(path, 'format=jsonl')).lines).toHaveLength(1);
  });

  it('is asked for by HEAD without a body', async () => {
    const { path } = await service.newDataset();
    await fill(path, [manualExample()]);
    const answer = await service.call({ method: 'HEAD', path: `${path}/export` });
    expect(answer).toMatchObject({ status: 200, text: '' });
    expect(answer.headers.get('x-clew-dataset-version')).toBe('1');
  });

  it('is named after its Dataset, version and split', async () => {
    const { path } = await service.newDataset(undefined, { name: 'Rückfragen: "Geld"' });
    await fill(path, [manualExample()]);
    const { headers } = await exported(path, 'format=csv&split=test&ratio=0,0,100');
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="R?ckfragen-Geld-v1-test.csv"; filename*=UTF-8''R%C3%BCckfragen-Geld-v1-test.csv`,
    });
  });

  it('of a Dataset without Examples is empty', async () => {
    const { path } = await service.newDataset();
    expect((await exported(path, 'format=jsonl')).text).toBe('');
    expect((await exported(path, 'format=csv')).lines).toHaveLength(1);
  });

  it.each([
    ['an unknown format', 'format=xml', 400],
    ['a ratio without a split', 'ratio=80,10,10', 400],
    ['a ratio that is not a hundred', 'split=train&ratio=80,10,11', 400],
    ['a version that is not there', 'version=7', 404],
  ])('with %s is refused', async (_, query, status) => {
    const { path } = await service.newDataset();
    expect((await service.transfers.download(`${path}/export?${query}`)).status).toBe(status);
  });

  it('of a Dataset that does not exist is 404', async () => {
    expect((await service.transfers.download(`/datasets/${newId('dst')}/export`)).status).toBe(404);
  });
});

describe('splits of an export', () => {
  it('hold each Example once, and keep conversations, derivation groups and near duplicates together', async () => {
    const { path } = await service.newDataset();
    const examples = Array.from({ length: 300 }, (_, index) => story(index));
    await fill(path, examples);
    const splits = await Promise.all(
      ['train', 'validation', 'test'].map(async (split) => {
        const { lines } = await exported(path, `split=${split}&ratio=60,20,20`);
        return lines.map((line) => JSON.parse(line) as Example);
      }),
    );
    expect(splits.flat()).toHaveLength(300);
    expect(new Set(splits.flat().map(({ id }) => id)).size).toBe(300);
    expect(splits.every((split) => split.length > 20)).toBe(true);
    for (const trait of ['conversationId', 'derivationKey'] as const) {
      const seen = new Map<string, number>();
      splits.forEach((split, index) => {
        for (const { source } of split) {
          const name = source[trait];
          if (name === undefined) continue;
          expect(seen.get(name) ?? index).toBe(index);
          seen.set(name, index);
        }
      });
    }
  });

  it('follow tags, of which the strictest decides for the whole group', async () => {
    const { path } = await service.newDataset();
    await fill(path, [
      manualExample('asked and trained on', { tags: ['split:train'] }),
      conversation('first', 'c1', ['split:train']),
      conversation('second', 'c1', ['split:test']),
      manualExample('of no split'),
    ]);
    const texts = async (query: string) =>
      (await exported(path, query)).lines.map(
        (line) => ((JSON.parse(line) as Example).payload.input as { text: string }).text,
      );
    expect(await texts('split=train')).toEqual(['asked and trained on']);
    expect((await texts('split=test')).toSorted()).toEqual(['first', 'second']);
    expect(await texts('split=validation')).toEqual([]);
    expect(await texts('split=validation&ratio=0,100,0')).toEqual(['of no split']);
  });

  it('of a version do not change when the Dataset does', async () => {
    const { path } = await service.newDataset();
    await fill(
      path,
      Array.from({ length: 60 }, (_, index) => story(index)),
    );
    const query = 'version=1&split=train&ratio=50,25,25';
    const before = (await exported(path, query)).lines;
    for (const line of before.slice(0, 3)) {
      await service.call({ method: 'DELETE', path: `${path}/examples/${(JSON.parse(line) as Example).id}` });
    }
    const other = await startTestService(environment);
    const { text } = await other.transfers.download(`${path}/export?${query}`);
    await other.stop();
    expect(text.trim().split('\n')).toEqual(before);
  });
});

function pair(text: string): NewExample {
  return manualExample(text, {
    payload: {
      input: { type: 'prompt', prompt: text, system: 'Be kind.' },
      expectedOutput: { type: 'text', text: 'Gladly.' },
      rejectedOutput: { type: 'classification', label: 'no' },
    },
  });
}

function toolCall(): NewExample {
  const call = { id: 'c1', name: 'weather', arguments: { city: 'Ulm' } };
  return manualExample('x', {
    payload: {
      input: {
        type: 'chat',
        messages: [
          { role: 'user', content: 'Weather?' },
          { role: 'assistant', content: null, toolCalls: [call] },
          { role: 'tool', content: 'sunny', toolCallId: 'c1' },
        ],
        tools: [{ type: 'function', function: { name: 'weather' } }],
        parallelToolCalls: false,
      },
      expectedOutput: { type: 'chat_message', message: { role: 'assistant', content: 'Sunny.' } },
    },
  });
}

function conversation(text: string, conversationId: string, tags: string[]): NewExample {
  const source = { kind: 'conversation' as const, conversationId, traceIds: ['t1'] };
  return { source, tags, payload: { input: { type: 'text', text } } };
}

/** Examples of which some share a conversation and some a derivationKey, with no text in common. */
function story(index: number): NewExample {
  const text = `${newId('ex')} ${newId('ex')} ${newId('ex')} ${newId('ex')}`;
  const example = index % 3 === 0 ? conversation(text, `c${index % 20}`, []) : manualExample(text);
  return index % 4 === 0 ? { ...example, source: { ...example.source, derivationKey: `d${index % 30}` } } : example;
}
