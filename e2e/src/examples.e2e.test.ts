import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Dataset, Example, VersionChange } from '@clew/contracts';
import type { ErrorBody } from '@clew/kernel';
import { eventually } from '@clew/testing';
import { allExamples, createTestDataset, manualExample } from './support/datasets.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

// Test names are the sentences of the specification that the tests verify.

const INPUT = { type: 'text', text: 'a question' };

let project: TestProject;
let path: string;
let datasetId: string;

beforeAll(async () => {
  project = await createTestProject('examples');
  const { dataset, path: made } = await createTestDataset(project);
  [path, datasetId] = [made, dataset.id];
});

const create = (body: unknown) => project.call<Example & ErrorBody>(`${path}/examples`, { body });
const withSource = (source: unknown) => create({ source, payload: { input: INPUT } });
const withPayload = (payload: unknown) => create({ source: { kind: 'manual', externalRef: 'x' }, payload });
const patch = (id: string, body: unknown) =>
  project.call<Example & ErrorBody>(`${path}/examples/${id}`, { method: 'PATCH', body });

describe('Example', () => {
  it('id: server generated; projectId: inherited; datasetId: taken from the URL; times in epoch milliseconds', async () => {
    const { status, body, headers } = await create(manualExample('a'));
    expect(status).toBe(201);
    expect(body).toMatchObject({ id: expect.stringMatching(/^ex_[0-9A-Z]{26}$/), projectId: project.id, datasetId });
    expect(Math.abs(body.createdAt - Date.now())).toBeLessThan(60_000);
    expect(headers.get('location')).toBe(`/v1/projects/${project.id}${path}/examples/${body.id}`);
    for (const field of ['id', 'projectId', 'datasetId', 'createdAt', 'input', 'expectedOutput', 'metadata']) {
      expect((await create({ ...manualExample('a'), [field]: 'x' })).status).toBe(400);
    }
  });

  it.each(['source', 'payload'])('%s is required', async (field) => {
    const { status, body } = await create({ ...manualExample('a'), [field]: undefined });
    expect([status, body.error]).toEqual([400, 'Bad Request']);
    expect(body.details?.map((detail) => detail.path)).toEqual([`body.${field}`]);
  });

  it('tags: array of string, optional; entries non-empty and unique', async () => {
    expect((await create(manualExample('a'))).body.tags).toEqual([]);
    const { body } = await create({ ...manualExample('a'), tags: ['b', 'a'] });
    expect(body.tags).toEqual(['b', 'a']);
    for (const tags of [[''], ['a', 'a'], 'a', [1], null]) {
      expect((await create({ ...manualExample('a'), tags })).status).toBe(400);
    }
  });

  it.each([
    ['manual', { externalRef: 'x' }],
    ['manual', { traceIds: ['t'] }],
    ['conversation', { conversationId: 'c', traceIds: ['t'] }],
    ['import', { externalRef: 'x' }],
    ['synthetic', { externalRef: 'x' }],
    ['synthetic', { traceIds: ['t'] }],
  ])(
    'source kind %s with its required members %j; every kind may also include derivationKey',
    async (kind, members) => {
      for (const source of [
        { kind, ...members },
        { kind, ...members, derivationKey: 'd' },
      ]) {
        const { status, body } = await withSource(source);
        expect([status, body.source]).toEqual([201, source]);
      }
    },
  );

  it.each([
    ['manual', {}],
    ['conversation', { conversationId: 'c' }],
    ['import', {}],
    ['import', { traceIds: ['t'] }],
    ['synthetic', {}],
    ['magic', { externalRef: 'x' }],
    ['manual', { externalRef: '' }],
    ['manual', { traceIds: [] }],
    ['manual', { externalRef: 'x', author: 'me' }],
  ])('source kind %s with %j is refused', async (kind, members) => {
    const { status, body } = await withSource({ kind, ...members });
    expect([status, body.error]).toEqual([400, 'Bad Request']);
  });

  it.each([[{}], [{ conversationId: null }], [{ conversationId: '' }]])(
    'a conversation-source Example lacks its conversation identifier: source.conversationId is required for conversation sources (%j)',
    async (members) => {
      const { status, body } = await withSource({ kind: 'conversation', traceIds: ['t'], ...members });
      expect([status, body.error]).toEqual([400, 'Bad Request']);
      expect(body.message).toBe('source.conversationId is required for conversation sources');
    },
  );
});

describe('payload', () => {
  const toolCall = { id: 'call_1', name: 'find', arguments: { q: 'x' } };

  it.each([
    { type: 'chat', messages: [{ role: 'user', content: 'hello' }] },
    {
      type: 'chat',
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: [{ type: 'text', text: 'find it' }] },
        { role: 'assistant', content: null, toolCalls: [toolCall] },
        { role: 'tool', content: 'found', toolCallId: 'call_1' },
      ],
    },
    { type: 'prompt', prompt: 'say' },
    { type: 'prompt', prompt: 'say', system: 'be brief' },
    { type: 'instruction', instruction: 'do' },
    { type: 'instruction', instruction: 'do', context: 'here' },
    { type: 'text', text: 'words' },
    { type: 'json', value: { a: [1, null] } },
    { type: 'json', value: null },
  ])('input: %j', async (input) => {
    const { status, body } = await withPayload({ input });
    expect([status, body.payload]).toEqual([201, { input }]);
  });

  it.each([
    undefined,
    { type: 'chat' },
    { type: 'chat', messages: [] },
    { type: 'chat', messages: [{ role: 'user' }] },
    { type: 'chat', messages: [{ role: 'robot', content: 'x' }] },
    { type: 'chat', messages: [{ role: 'user', content: 'x', mood: 'good' }] },
    { type: 'chat', text: 'x', messages: [{ role: 'user', content: 'x' }] },
    { type: 'prompt' },
    { type: 'prompt', prompt: 'x', context: 'x' },
    { type: 'instruction', prompt: 'x' },
    { type: 'text', text: 1 },
    { type: 'json' },
    { type: 'speech', text: 'x' },
  ])('input: %j is refused', async (input) => {
    expect(await withPayload({ input })).toMatchObject({ status: 400, body: { error: 'Bad Request' } });
  });

  const outputs = [
    { type: 'chat_message', message: { role: 'assistant', content: 'yes' } },
    { type: 'chat_message', message: { role: 'assistant', content: null, toolCalls: [toolCall] } },
    { type: 'text', text: 'yes' },
    { type: 'json', value: [1, 2] },
    { type: 'classification', label: 'good' },
  ];
  const badOutputs = [
    { type: 'chat_message', message: { role: 'user', content: 'yes' } },
    { type: 'chat_message', message: { role: 'assistant' } },
    { type: 'text' },
    { type: 'json' },
    { type: 'classification', label: '' },
    { type: 'classification', label: 'good', score: 1 },
    { type: 'prompt', prompt: 'x' },
  ];

  it.each(['expectedOutput', 'rejectedOutput'])(
    '%s, optional: chat_message, text, json, classification',
    async (field) => {
      for (const output of outputs) {
        const { status, body } = await withPayload({ input: INPUT, [field]: output });
        expect([status, body.payload]).toEqual([201, { input: INPUT, [field]: output }]);
      }
      for (const output of badOutputs) expect((await withPayload({ input: INPUT, [field]: output })).status).toBe(400);
    },
  );

  it('rubric: criteria, and an optional scoring list of label, description, score', async () => {
    const score = { label: 'good', description: 'as asked', score: 0.5 };
    for (const rubric of [{ criteria: 'is true' }, { criteria: ['is true', 'is short'], scoring: [score] }]) {
      expect((await withPayload({ input: INPUT, rubric })).body.payload).toMatchObject({ rubric });
    }
    const bad = [{}, { criteria: '' }, { criteria: [] }, { criteria: 'x', scoring: [{ ...score, score: '1' }] }, 'x'];
    for (const rubric of bad) expect((await withPayload({ input: INPUT, rubric })).status).toBe(400);
  });

  it('payload holds input, and optionally expectedOutput, rejectedOutput and rubric, together; nothing else', async () => {
    const payload = {
      input: { type: 'chat', messages: [{ role: 'user', content: 'Is it?' }] },
      expectedOutput: { type: 'chat_message', message: { role: 'assistant', content: 'It is.' } },
      rejectedOutput: { type: 'classification', label: 'rude' },
      rubric: { criteria: 'is true', scoring: [{ label: 'good', description: 'as asked', score: 1 }] },
    };
    expect((await withPayload(payload)).body.payload).toEqual(payload);
    expect((await withPayload({ ...payload, metadata: {} })).status).toBe(400);
  });

  it('several errors in one body are all reported', async () => {
    const { body } = await create({
      source: { kind: 'conversation' },
      tags: [''],
      payload: { input: { type: 'text' }, expectedOutput: { type: 'text' }, notes: 'x' },
    });
    expect(body.details?.map((detail) => detail.path).toSorted()).toEqual([
      'body.payload',
      'body.payload.expectedOutput.text',
      'body.payload.input.text',
      'body.source.conversationId',
      'body.source.traceIds',
      'body.tags.0',
    ]);
  });
});

describe('Example endpoints', () => {
  it('GET examples: query limit, cursor; the response carries the cursor', async () => {
    const own = await createTestDataset(project);
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const { body } = await project.call<Example>(`${own.path}/examples`, { body: manualExample(`${index}`) });
      ids.unshift(body.id);
    }
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await project.call<{ examples: Example[]; nextCursor: string | null }>(
        `${own.path}/examples?limit=2${more}`,
      );
      seen.push(...body.examples.map(({ id }) => id));
      cursor = body.nextCursor;
    }
    expect(seen).toEqual(ids);
  });

  it.each([
    ['limit=1', 200],
    ['limit=1000', 200],
    ['limit=0', 400],
    ['limit=1001', 400],
    ['cursor=abc', 400],
  ])('page size of the Example list: 1 to 1000 (?%s is %d)', async (query, status) => {
    expect((await project.call(`${path}/examples?${query}`)).status).toBe(status);
  });

  it('PATCH: any of source, tags, payload', async () => {
    const { body: made } = await create(manualExample('a'));
    const changes = [
      { tags: ['x'] },
      { source: { kind: 'import', externalRef: 'file' } },
      { payload: { input: { type: 'prompt', prompt: 'b' } } },
    ];
    for (const change of changes) expect(await patch(made.id, change)).toMatchObject({ status: 200, body: change });
    const { body } = await project.call<Example>(`${path}/examples/${made.id}`);
    expect(body).toMatchObject(Object.assign({ id: made.id, createdAt: made.createdAt }, ...changes) as object);
    for (const wrong of [{}, { id: 'x' }, { tags: null }, { payload: {} }]) {
      expect((await patch(made.id, wrong)).status).toBe(400);
    }
  });

  it.each(['input', 'expectedOutput', 'metadata'])(
    'top-level %s is rejected: Legacy top-level input/expectedOutput/metadata fields are not accepted',
    async (field) => {
      const { body: made } = await create(manualExample('a'));
      for (const change of [{ [field]: INPUT }, { [field]: null, tags: ['x'] }]) {
        expect(await patch(made.id, change)).toMatchObject({
          status: 400,
          body: {
            error: 'Bad Request',
            message: 'Legacy top-level input/expectedOutput/metadata fields are not accepted',
          },
        });
      }
      expect((await project.call<Example>(`${path}/examples/${made.id}`)).body).toEqual(made);
    },
  );

  it('PATCH: createdAt stays, updatedAt and the version move; ETag and If-Match as for Datasets', async () => {
    const { body: made } = await create(manualExample('a'));
    const at = `${path}/examples/${made.id}`;
    const etag = (await project.call(at)).headers.get('etag') ?? '';
    await eventually(() => expect(Date.now()).toBeGreaterThan(made.updatedAt));
    const change = { method: 'PATCH', body: { tags: ['x'] }, headers: { 'if-match': etag } };
    const { status, body } = await project.call<Example>(at, change);
    expect([status, body.createdAt, body.updatedAt > made.updatedAt]).toEqual([200, made.createdAt, true]);
    expect(body.version).toBeGreaterThan(made.version);
    expect((await project.call(at, change)).status).toBe(412);
    expect((await project.call(at, { method: 'DELETE', headers: { 'if-match': etag } })).status).toBe(412);
    expect((await project.call<Example>(at)).body).toEqual(body);
  });

  it('an Example belongs to its Dataset: through another one it is 404', async () => {
    const other = await createTestDataset(project);
    const { body: made } = await create(manualExample('a'));
    const elsewhere = `${other.path}/examples/${made.id}`;
    expect((await project.call(elsewhere)).status).toBe(404);
    expect((await project.call(elsewhere, { method: 'PATCH', body: { tags: ['x'] } })).status).toBe(404);
    expect((await project.call(elsewhere, { method: 'DELETE' })).status).toBe(404);
    expect((await project.call<Example>(`${path}/examples/${made.id}`)).body).toEqual(made);
  });

  it('GET returns the Example, DELETE removes it', async () => {
    const { body: made } = await create(manualExample('a'));
    const at = `${path}/examples/${made.id}`;
    expect(await project.call(at)).toMatchObject({ status: 200, body: made });
    expect((await project.call(at, { method: 'DELETE' })).status).toBe(204);
    expect((await project.call(at)).status).toBe(404);
    expect((await project.call(at, { method: 'DELETE' })).status).toBe(204);
  });
});

describe('batches and versions', () => {
  it('a batch of 1,000 Examples and of many megabytes goes through the gateway', async () => {
    const own = await createTestDataset(project);
    const examples = Array.from({ length: 1_000 }, (_, index) => manualExample(`${index} ${'x'.repeat(20_000)}`));
    const { status, body } = await project.call<{ examples: Example[] }>(`${own.path}/examples/batch`, {
      body: { examples },
    });
    expect([status, body.examples.length]).toEqual([201, 1_000]);
    expect((await project.call<Dataset>(own.path)).body).toMatchObject({ exampleCount: 1_000, version: 1 });
  });

  it('a batch is all or nothing: one wrong entry, named by its index, keeps the others out', async () => {
    const own = await createTestDataset(project);
    const examples = [manualExample('a'), { ...manualExample('b'), tags: [''] }, manualExample('c')];
    const { status, body } = await project.call<ErrorBody>(`${own.path}/examples/batch`, { body: { examples } });
    expect([status, body.error]).toEqual([400, 'Bad Request']);
    expect(body.details?.map((detail) => detail.path)).toEqual(['body.examples.1.tags.0']);
    expect((await project.call<Dataset>(own.path)).body).toMatchObject({ exampleCount: 0, version: 0 });
  });

  it('with partial=true each entry of a batch is on its own', async () => {
    const own = await createTestDataset(project);
    const examples = [manualExample('a'), {}, manualExample('c')];
    const { status, body } = await project.call<{ results: { index: number; id?: string; error?: ErrorBody }[] }>(
      `${own.path}/examples/batch?partial=true`,
      { body: { examples } },
    );
    expect(status).toBe(200);
    expect(body.results).toEqual([
      { index: 0, id: expect.stringMatching(/^ex_/), outcome: 'created' },
      { index: 1, error: expect.objectContaining({ error: 'Bad Request' }) },
      { index: 2, id: expect.stringMatching(/^ex_/), outcome: 'created' },
    ]);
    expect((await project.call<Dataset>(own.path)).body).toMatchObject({ exampleCount: 2, version: 1 });
  });

  it('derivationKey may group several Examples; a batch can upsert by it, 409 where it names more than one', async () => {
    const own = await createTestDataset(project);
    const keyed = (text: string) => ({ examples: [manualExample(text, { derivationKey: 'k' })] });
    const send = (query: string, text: string) =>
      project.call<{ examples: Example[] } & ErrorBody>(`${own.path}/examples/batch${query}`, { body: keyed(text) });
    const [first] = (await send('', 'first')).body.examples;
    expect((await send('?onConflict=skip', 'second')).body.examples).toEqual([first]);
    const [updated] = (await send('?onConflict=update', 'third')).body.examples;
    expect([updated?.id, updated?.payload.input]).toEqual([first?.id, { type: 'text', text: 'third' }]);
    expect((await send('?onConflict=fail', 'fourth')).status).toBe(409);
    expect((await send('', 'beside')).status).toBe(201);
    const { status, body } = await send('?onConflict=update', 'which?');
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
    expect(await allExamples(project, own.path)).toHaveLength(2);
  });

  it.each([0, 1_001])('a batch of %d Examples is refused', async (count) => {
    const examples = Array.from({ length: count }, (_, index) => manualExample(`${index}`));
    expect((await project.call(`${path}/examples/batch`, { body: { examples } })).status).toBe(400);
  });

  it('each version can be read and compared, and equal Examples have an equal content id', async () => {
    const own = await createTestDataset(project);
    const a = (await project.call<Example>(`${own.path}/examples`, { body: manualExample('a') })).body;
    await project.call(`${own.path}/examples/${a.id}`, { method: 'PATCH', body: { tags: ['x'] } });
    await project.call(`${own.path}/examples/${a.id}`, { method: 'DELETE' });
    expect(await allExamples(project, own.path, '&version=1')).toEqual([a]);
    expect(await allExamples(project, own.path, '&version=3')).toEqual([]);
    const { body } = await project.call<{ changes: VersionChange[] }>(`${own.path}/versions/diff?from=1&to=2`);
    expect(body.changes).toEqual([{ exampleId: a.id, change: 'updated', version: 2 }]);
    const last = (await project.call<Dataset>(own.path)).body;
    expect(last.contentId).toBe(own.dataset.contentId);
  });
});
