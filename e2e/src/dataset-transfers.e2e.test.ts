import { once } from 'node:events';
import { request as sendRequest, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { SPLITS, type Dataset, type DatasetImportReport, type Example, type Split } from '@clew/contracts';
import type { ErrorBody } from '@clew/kernel';
import { allExamples, createTestDataset, manualExample, textsOf } from './support/datasets.ts';
import { runningStack } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

// Test names are the sentences of the specification and the design that the tests verify.

let project: TestProject;

beforeAll(async () => {
  project = await createTestProject('dataset transfers');
});

const JSON_LINES = { 'content-type': 'application/x-ndjson' };
const lineOf = (text: string, more: object = {}) =>
  JSON.stringify({ payload: { input: { type: 'text', text } }, ...more });
const datasetAt = async (path: string) => (await project.call<Dataset>(path)).body;

function importFile(path: string, query: string, body: string | Uint8Array, headers: Record<string, string> = {}) {
  return project.call<DatasetImportReport & ErrorBody>(`${path}/imports?${query}`, {
    body,
    headers: { ...JSON_LINES, ...headers },
  });
}

/** Export with its trailers, which `fetch` does not expose. */
async function exported(path: string, query: string) {
  const url = new URL(`/v1/projects/${project.id}${path}/export?${query}`, runningStack().gatewayUrl);
  const request = sendRequest(url, { headers: { authorization: `Bearer ${project.apiKey}` } }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const text = await readText(response);
  const lines = text.split('\n').filter((line) => line !== '');
  return { status: response.statusCode, headers: response.headers, trailers: response.trailers, text, lines };
}

async function add(path: string, examples: readonly unknown[]): Promise<void> {
  const { status } = await project.call(`${path}/examples/batch`, { body: { examples } });
  expect(status).toBe(201);
}

describe('Examples are imported', () => {
  it('as JSONL of this API: lines that are wrong are named with their field, the good ones are kept and counted', async () => {
    const { path } = await createTestDataset(project);
    const file = [lineOf('a'), '{broken', lineOf('b', { tags: ['x', 'x'] }), lineOf('c', { tags: ['y'] })].join('\n');
    const { status, body } = await importFile(path, 'format=jsonl', file);
    expect(status).toBe(200);
    expect(body).toMatchObject({ imported: 2, updated: 0, skipped: 0, refusedCount: 2 });
    expect(body.refused).toEqual([
      { line: 2, path: '', reason: 'is not valid JSON' },
      { line: 3, path: 'tags', reason: 'must not hold a tag twice' },
    ]);
    const examples = await allExamples(project, path);
    expect(textsOf(examples)).toEqual(['a', 'c']);
    expect(new Set(examples.map(({ source }) => source.kind))).toEqual(new Set(['import']));
    expect(await datasetAt(path)).toMatchObject({ exampleCount: 2, version: 1 });
  });

  it('compressed, in UTF-16, with a reference of the file, as they come', async () => {
    const { path } = await createTestDataset(project);
    const file = `${lineOf('Grüße, 世界')}\n${lineOf('second')}\n`;
    const gzip = { 'content-encoding': 'gzip' };
    expect((await importFile(path, 'format=jsonl&externalRef=s3:file', gzipSync(file), gzip)).body.imported).toBe(2);
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(file, 'utf16le')]);
    expect((await importFile(path, 'format=jsonl', utf16)).body.imported).toBe(2);
    const examples = await allExamples(project, path);
    expect(textsOf(examples)).toEqual(['Grüße, 世界', 'Grüße, 世界', 'second', 'second']);
    expect(new Set(examples.map(({ source }) => source.externalRef))).toEqual(
      new Set(['s3:file', 'jsonl#1', 'jsonl#2']),
    );
  });

  it("from a CSV, a CSV's header mapping as mapping in the query, with quotes and newlines", async () => {
    const { path } = await createTestDataset(project);
    const mapping = encodeURIComponent(JSON.stringify({ question: 'input', answer: 'expectedOutput' }));
    const file = 'question,answer\n"What is\n""it""?",yes\n"no, really",no\n';
    const { status, body } = await importFile(path, `format=csv&mapping=${mapping}`, file);
    expect([status, body.imported]).toEqual([200, 2]);
    const examples = await allExamples(project, path);
    expect(textsOf(examples)).toEqual(['What is\n"it"?', 'no, really']);
    expect((await importFile(path, `format=jsonl&mapping=${mapping}`, file)).status).toBe(400);
  });

  it('from OpenAI chat JSONL: the last message of the assistant is the expected output', async () => {
    const { path } = await createTestDataset(project);
    const messages = [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'Hello?' },
      { role: 'assistant', content: 'Hi.' },
    ];
    expect((await importFile(path, 'format=openai-chat', JSON.stringify({ messages }))).body.imported).toBe(1);
    const [example] = await allExamples(project, path);
    expect(example?.payload).toEqual({
      input: { type: 'chat', messages: messages.slice(0, 2) },
      expectedOutput: { type: 'chat_message', message: messages[2] },
    });
  });

  it('by derivationKey with onConflict=skip|update, or named as refused with fail', async () => {
    const { path } = await createTestDataset(project);
    const keyed = (text: string) => lineOf(text, { source: { derivationKey: 'k' } });
    await importFile(path, 'format=jsonl', keyed('first'));
    expect((await importFile(path, 'format=jsonl&onConflict=skip', keyed('second'))).body).toMatchObject({
      imported: 0,
      skipped: 1,
    });
    expect((await importFile(path, 'format=jsonl&onConflict=fail', keyed('third'))).body).toMatchObject({
      imported: 0,
      refused: [{ line: 1, path: 'source.derivationKey' }],
    });
    expect(textsOf(await allExamples(project, path))).toEqual(['first']);
    expect((await importFile(path, 'format=jsonl&onConflict=update', keyed('fourth'))).body.updated).toBe(1);
    expect(textsOf(await allExamples(project, path))).toEqual(['fourth']);
    await importFile(path, 'format=jsonl', keyed('beside'));
    const several = await importFile(path, 'format=jsonl&onConflict=update', keyed('which?'));
    expect(several.body).toMatchObject({ refusedCount: 1, refused: [{ reason: expect.stringContaining('names 2') }] });
  });

  it('once with an Idempotency-Key: a repeat gets the first report and imports nothing; another file is 422', async () => {
    const { path } = await createTestDataset(project);
    const file = Array.from({ length: 2_500 }, (_, index) => lineOf(`line ${index}`)).join('\n');
    const key = { 'idempotency-key': 'import once' };
    const first = await importFile(path, 'format=jsonl', file, key);
    const after = await datasetAt(path);
    const again = await importFile(path, 'format=jsonl', file, key);
    expect(first.body).toMatchObject({ imported: 2_500 });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const reused = { status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } };
    expect(await importFile(path, 'format=jsonl', `${file}\n${lineOf('more')}`, key)).toMatchObject(reused);
    expect(await importFile(path, 'format=jsonl&onConflict=skip', file, key)).toMatchObject(reused);
    expect(await datasetAt(path)).toEqual(after);
    expect(after).toMatchObject({ exampleCount: 2_500, version: 4 });
  });

  it.each([
    ['format=xml', 400],
    ['', 400],
    ['format=jsonl&onConflict=guess', 400],
    ['format=jsonl&unknown=1', 400],
  ])('only with a query that is right (?%s is %d)', async (query, status) => {
    const { path } = await createTestDataset(project);
    expect(await importFile(path, query, lineOf('a'))).toMatchObject({ status, body: { error: 'Bad Request' } });
  });
});

describe('Examples are exported', () => {
  it.each(['jsonl', 'csv'])('as %s, and imported again they have the same content id', async (format) => {
    const [from, to] = [await createTestDataset(project), await createTestDataset(project)];
    const output = { type: 'text', text: 'yes, "quoted"' };
    const full = { input: { type: 'prompt', prompt: 'say', system: 'be brief' }, expectedOutput: output };
    await add(from.path, [
      manualExample('=1+1'),
      { source: { kind: 'manual', traceIds: ['t'] }, tags: ['b', 'a'], payload: full },
    ]);
    const { text, headers, trailers } = await exported(from.path, `format=${format}`);
    const { contentId } = await datasetAt(from.path);
    expect(headers).toMatchObject({ 'x-clew-dataset-version': '1', 'x-clew-content-id': contentId });
    expect(trailers).toMatchObject({ 'x-clew-exported-count': '2', 'x-clew-left-out-count': '0' });
    expect((await importFile(to.path, `format=${format}`, text)).body).toMatchObject({ imported: 2, refused: [] });
    expect((await datasetAt(to.path)).contentId).toBe(contentId);
  });

  it('as openai-sft and openai-dpo where they have the outputs for it; the others are counted', async () => {
    const { path } = await createTestDataset(project);
    const said = (content: string) => ({ type: 'chat_message', message: { role: 'assistant', content } });
    const input = { type: 'chat', messages: [{ role: 'user', content: 'Hello?' }] };
    const payload = { input, expectedOutput: said('Hi.'), rejectedOutput: said('Go away.') };
    await add(path, [{ ...manualExample('x'), payload }, manualExample('without output')]);
    const sft = await exported(path, 'format=openai-sft');
    expect(sft.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { messages: [...input.messages, { role: 'assistant', content: 'Hi.' }] },
    ]);
    expect(sft.trailers).toMatchObject({ 'x-clew-exported-count': '1', 'x-clew-left-out-count': '1' });
    const [dpo = ''] = (await exported(path, 'format=openai-dpo')).lines;
    expect(Object.keys(JSON.parse(dpo) as object).toSorted()).toEqual([
      'input',
      'non_preferred_output',
      'preferred_output',
    ]);
  });

  it('at a version as they were then; erasure reaches old versions too', async () => {
    const { path } = await createTestDataset(project);
    await add(path, [manualExample('kept'), manualExample('erased')]);
    const [erased, kept] = (await allExamples(project, path)).toSorted((a, b) =>
      textsOf([a])[0]! < textsOf([b])[0]! ? -1 : 1,
    );
    await project.call(`${path}/examples/${erased?.id}`, { method: 'DELETE' });
    const texts = async (query: string) =>
      textsOf((await exported(path, query)).lines.map((line) => JSON.parse(line) as Example));
    expect(await texts('version=1')).toEqual(['erased', 'kept']);
    expect(await texts('format=jsonl')).toEqual(['kept']);
    await project.call(`${path}/examples/${erased?.id}?erase=true`, { method: 'DELETE' });
    expect(await texts('version=1')).toEqual(['kept']);
    expect((await project.call(`${path}/examples/${erased?.id}?version=1`)).status).toBe(404);
    expect(textsOf(await allExamples(project, path, '&version=1'))).toEqual(['kept']);
    expect((await project.call(`${path}/examples/${kept?.id}?version=1`)).status).toBe(200);
    expect((await exported(path, 'version=9')).status).toBe(404);
  });
});

describe('splits: train|validation|test by tag or deterministic ratio', () => {
  const chat = (number: number) =>
    manualExample(`what was said in turn ${number}`, {
      kind: 'conversation',
      conversationId: `chat ${number >> 1}`,
      traceIds: ['t'],
    });

  async function splitsOf(path: string, ratio: string): Promise<Map<Split, Example[]>> {
    const found = new Map<Split, Example[]>();
    for (const split of SPLITS) found.set(split, await allExamples(project, path, `&split=${split}&ratio=${ratio}`));
    return found;
  }

  it('Examples of one conversation, and near duplicates, never cross splits', async () => {
    const { path } = await createTestDataset(project);
    const story = 'the order did not arrive in time and nobody answered my letters about it for three whole weeks';
    const twins = [manualExample(story), manualExample(`${story.toUpperCase()}!`)];
    await add(path, [...Array.from({ length: 118 }, (_, number) => chat(number)), ...twins]);
    const splits = await splitsOf(path, '50,25,25');
    expect([...splits.values()].flat()).toHaveLength(120);
    const groupOf = ({ source, payload }: Example) =>
      source.conversationId ?? (payload.input as { text: string }).text.toLowerCase().replace('!', '');
    const splitsOfGroups = Map.groupBy(
      [...splits].flatMap(([split, examples]) => examples.map((example) => ({ split, group: groupOf(example) }))),
      ({ group }) => group,
    );
    expect(splitsOfGroups.size).toBe(60);
    for (const members of splitsOfGroups.values()) expect(new Set(members.map(({ split }) => split)).size).toBe(1);
    for (const examples of splits.values()) expect(examples.length).toBeGreaterThan(0);
  });

  it('the list of a split holds what its export holds, and each Example says its split', async () => {
    const { path } = await createTestDataset(project);
    await add(
      path,
      Array.from({ length: 40 }, (_, number) => chat(number)),
    );
    for (const [split, examples] of await splitsOf(path, '60,20,20')) {
      const { lines } = await exported(path, `split=${split}&ratio=60,20,20`);
      expect(examples.map(({ id }) => id)).toEqual(lines.map((line) => (JSON.parse(line) as Example).id));
      expect(examples.every((example) => example.split === split)).toBe(true);
    }
    const page = await project.call<{ nextCursor: string }>(`${path}/examples?split=train&ratio=60,20,20&limit=3`);
    const other = `${path}/examples?split=test&ratio=60,20,20&limit=3&cursor=${page.body.nextCursor}`;
    expect((await project.call(other)).status).toBe(400);
    expect((await project.call(`${path}/examples?ratio=60,20,20`)).status).toBe(400);
    expect((await project.call(`${path}/examples?split=dev`)).status).toBe(400);
  });

  it('a tag names the split', async () => {
    const { path } = await createTestDataset(project);
    await add(path, [{ ...manualExample('tagged'), tags: ['split:test'] }, manualExample('not tagged')]);
    expect(textsOf(await allExamples(project, path, '&split=test'))).toEqual(['tagged']);
    expect(await allExamples(project, path, '&split=train')).toEqual([]);
  });
});
