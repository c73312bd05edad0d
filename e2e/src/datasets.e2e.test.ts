import { beforeAll, describe, expect, it } from '@jest/globals';
import { COLLECTION_OBJECTIVES, type Dataset } from '@clew/contracts';
import { newId, type ErrorBody } from '@clew/kernel';
import { eventually } from '@clew/testing';
import { startProvider } from '@clew/testing/provider';
import { callApi, type ApiRequest } from './support/api.ts';
import { allExamples, CHAT_V1, createTestDataset, manualExample } from './support/datasets.ts';
import { createKey, createTestProject, type TestProject } from './support/test-project.ts';

// Test names are the sentences of the specification that the tests verify.

let project: TestProject;
let other: TestProject;

beforeAll(async () => {
  [project, other] = await Promise.all([createTestProject('datasets'), createTestProject('other datasets')]);
});

const create = (body: unknown) => project.call<Dataset & ErrorBody>('/datasets', { body });
const get = async (path: string) => (await project.call<Dataset>(path)).body;
const patch = (path: string, body: unknown) => project.call<Dataset & ErrorBody>(path, { method: 'PATCH', body });

describe('Dataset', () => {
  it('a Dataset is a project-scoped collection of Examples that it owns directly', async () => {
    const { path } = await createTestDataset(project);
    const { body: example } = await project.call<{ id: string }>(`${path}/examples`, { body: manualExample('a') });
    expect((await other.call(path)).status).toBe(404);
    expect((await other.call(`${path}/examples/${example.id}`)).status).toBe(404);
    const foreign = await other.call<ErrorBody>(path);
    const missing = await other.call<ErrorBody>(`/datasets/${newId('dst')}`);
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
    await eventually(async () => expect((await project.call(path, { method: 'DELETE' })).status).toBe(204));
    expect((await project.call(`${path}/examples/${example.id}`)).status).toBe(404);
  });

  it('id: server generated; projectId: taken from the URL; createdAt, updatedAt: Unix epoch milliseconds', async () => {
    const before = Date.now();
    const { dataset } = await createTestDataset(project);
    expect(dataset).toMatchObject({ id: expect.stringMatching(/^dst_[0-9A-Z]{26}$/), projectId: project.id });
    for (const time of [dataset.createdAt, dataset.updatedAt]) {
      expect(time).toBeGreaterThanOrEqual(before - 1_000);
      expect(time).toBeLessThanOrEqual(Date.now() + 1_000);
    }
    for (const field of ['id', 'projectId', 'exampleCount', 'collectionPolicy', 'createdAt']) {
      expect((await create({ name: 'x', schema: CHAT_V1, [field]: dataset[field as keyof Dataset] })).status).toBe(400);
    }
  });

  it.each([[undefined], [''], ['  '], [7], [null]])('name: required, non-empty (%j is refused)', async (name) => {
    expect(await create({ name, schema: CHAT_V1 })).toMatchObject({ status: 400, body: { error: 'Bad Request' } });
  });

  it('description: string or null, optional', async () => {
    expect((await createTestDataset(project)).dataset.description).toBeNull();
    expect((await createTestDataset(project, { description: null })).dataset.description).toBeNull();
    expect((await createTestDataset(project, { description: 'why' })).dataset.description).toBe('why');
    expect((await create({ name: 'x', schema: CHAT_V1, description: 1 })).status).toBe(400);
  });

  it.each([
    [undefined],
    [null],
    ['chat'],
    [{ type: 'chat' }],
    [{ type: 'chat', version: 2 }],
    [{ type: 'chat', version: '1' }],
    [{ type: 'text', version: 1 }],
  ])(
    'Dataset schema other than chat version 1 is rejected at creation: schema must be chat/v1 (%j)',
    async (schema) => {
      expect(await create({ name: 'x', schema })).toMatchObject({
        status: 400,
        body: { error: 'Bad Request', message: 'schema must be chat/v1' },
      });
    },
  );

  it('schema: only {type: "chat", version: 1} is accepted; immutable after creation', async () => {
    const { path, dataset } = await createTestDataset(project);
    expect(dataset.schema).toEqual(CHAT_V1);
    expect(await patch(path, { schema: CHAT_V1 })).toMatchObject({ status: 400, body: { error: 'Bad Request' } });
    expect((await get(path)).schema).toEqual(CHAT_V1);
  });

  it('the request carries flat fields; responses present the policy as collectionPolicy', async () => {
    const { dataset } = await createTestDataset(project, {
      collectionObjective: 'teach_project_knowledge',
      collectionModel: 'openai/gpt-x',
      collectionEnabled: true,
      collectedRedaction: 'on',
      collectionFilters: { knowledgeGoalIds: ['goal_1'] },
    });
    expect(dataset.collectionPolicy).toEqual({
      objective: 'teach_project_knowledge',
      revision: expect.any(String),
      model: 'openai/gpt-x',
      filters: { knowledgeGoalIds: ['goal_1'] },
    });
    for (const flat of ['collectionObjective', 'collectionModel', 'collectionFilters']) {
      expect(dataset).not.toHaveProperty(flat);
    }
    const policy = { objective: 'teach_project_knowledge' };
    expect((await create({ name: 'x', schema: CHAT_V1, collectionPolicy: policy })).status).toBe(400);
  });

  it('collectionPolicy.filters: optional; knowledgeGoalIds is an array of goal identifiers; categories is reserved', async () => {
    const teach = (collectionFilters: unknown) =>
      create({ name: 'x', schema: CHAT_V1, collectionObjective: 'teach_project_knowledge', collectionFilters });
    expect((await teach({ knowledgeGoalIds: ['goal_1', 'goal_2'] })).body.collectionPolicy?.filters).toEqual({
      knowledgeGoalIds: ['goal_1', 'goal_2'],
    });
    expect((await teach(undefined)).body.collectionPolicy).not.toHaveProperty('filters');
    for (const wrong of [{ categories: ['x'] }, { knowledgeGoalIds: 'goal_1' }, { knowledgeGoalIds: [7] }, 'goal_1']) {
      expect(await teach(wrong)).toMatchObject({ status: 400, body: { error: 'Bad Request' } });
    }
  });

  it('collectionPolicy: object or null', async () => {
    const { path, dataset } = await createTestDataset(project, { collectionObjective: 'teach_project_knowledge' });
    expect(dataset.collectionPolicy).not.toBeNull();
    expect((await patch(path, { collectionObjective: null })).body.collectionPolicy).toBeNull();
  });

  it('collectionPolicy.objective: one of the collection objectives', async () => {
    for (const objective of COLLECTION_OBJECTIVES) {
      const { dataset } = await createTestDataset(project, { collectionObjective: objective });
      expect(dataset.collectionPolicy?.objective).toBe(objective);
    }
    expect((await create({ name: 'x', schema: CHAT_V1, collectionObjective: 'learn' })).status).toBe(400);
  });

  it('collectionPolicy.revision: managed by the server', async () => {
    const { path, dataset } = await createTestDataset(project, { collectionObjective: 'teach_project_knowledge' });
    const { revision } = dataset.collectionPolicy ?? {};
    expect((await patch(path, { name: 'renamed' })).body.collectionPolicy?.revision).toBe(revision);
    const changed = (await patch(path, { collectionModel: 'openai/gpt-x' })).body.collectionPolicy;
    expect(changed?.revision).not.toBe(revision);
    expect((await patch(path, { collectionRevision: '1' })).status).toBe(400);
  });

  it('preserve_successful_behavior copies verified outputs and needs no model', async () => {
    const { dataset } = await createTestDataset(project, { collectionObjective: 'preserve_successful_behavior' });
    expect(dataset).toMatchObject({ collectionStatus: 'ready', blockedReason: null });
    expect(dataset.collectionPolicy).not.toHaveProperty('model');
  });

  it('the other three objectives use the collection model; its default is service/auto', async () => {
    for (const objective of COLLECTION_OBJECTIVES.slice(1)) {
      const { dataset } = await createTestDataset(project, { collectionObjective: objective });
      expect(dataset.collectionPolicy?.model).toBe('service/auto');
    }
  });

  it('collectionStatus: the effective state; blockedReason explains why automatic collection cannot currently run', async () => {
    expect((await createTestDataset(project)).dataset).toMatchObject({ collectionStatus: 'off', blockedReason: null });
    const own = await createTestProject('status of datasets');
    const policy = { collectionObjective: 'correct_failed_conversations', collectionModel: 'loop/tiny-chat' };
    const { path, dataset } = await createTestDataset(own, policy);
    expect(dataset).toMatchObject({
      collectionStatus: 'setup_required',
      blockedReason: expect.stringContaining('loop/tiny-chat'),
    });
    const becomes = async (expected: object) =>
      await eventually(async () => expect((await own.call<Dataset>(path)).body).toMatchObject(expected), {
        timeoutMs: 30_000,
      });
    const provider = await startProvider({ apiKey: 'sk-provider' });
    try {
      const body = { name: 'loop', baseUrl: provider.url, apiKey: 'sk-provider' };
      expect((await own.call('/models/providers', { body })).status).toBe(201);
      await becomes({ collectionStatus: 'ready', blockedReason: null });
      const listed = (await own.call<{ datasets: Dataset[] }>('/datasets')).body.datasets;
      expect(listed).toEqual([expect.objectContaining({ collectionStatus: 'ready', blockedReason: null })]);
      const change = { method: 'PATCH', body: { apiKey: 'sk-another' } };
      expect((await own.call('/models/providers/loop', change)).status).toBe(200);
      await becomes({ collectionStatus: 'setup_required', blockedReason: expect.stringContaining('credentials') });
    } finally {
      await provider.stop();
    }
  });

  it('service/auto, the default, is setup_required in a project without models', async () => {
    const { dataset } = await createTestDataset(project, { collectionObjective: 'learn_from_user_corrections' });
    expect(dataset).toMatchObject({
      collectionStatus: 'setup_required',
      blockedReason: expect.stringContaining('service/auto'),
    });
  });

  it('collectionEnabled: defaults to true at creation; setting it to false freezes the working set', async () => {
    const { path, dataset } = await createTestDataset(project, { collectionObjective: 'preserve_successful_behavior' });
    expect(dataset.collectionEnabled).toBe(true);
    const { body } = await patch(path, { collectionEnabled: false });
    expect(body).toMatchObject({ collectionEnabled: false, collectionStatus: 'off' });
    // People and callers continue to write to the Dataset.
    expect((await project.call(`${path}/examples`, { body: manualExample('a') })).status).toBe(201);
  });

  it('updatedAt: moves with every change, createdAt with none', async () => {
    const { path, dataset } = await createTestDataset(project);
    let last = dataset.updatedAt;
    for (const change of [
      () => patch(path, { description: 'why' }),
      () => project.call(`${path}/examples`, { body: manualExample('a') }),
      () => patch(path, { collectionEnabled: false }),
    ]) {
      await eventually(() => expect(Date.now()).toBeGreaterThan(last));
      await change();
      const { createdAt, updatedAt } = await get(path);
      expect([createdAt, updatedAt > last]).toEqual([dataset.createdAt, true]);
      last = updatedAt;
    }
  });

  it('exampleCount: kept consistent, in the same transaction, with Example creation and deletion', async () => {
    const { path, dataset } = await createTestDataset(project);
    expect(dataset.exampleCount).toBe(0);
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        project.call<{ id: string }>(`${path}/examples`, { body: manualExample(`${index}`) }),
      ),
    );
    expect((await get(path)).exampleCount).toBe(20);
    await Promise.all(
      made.slice(0, 5).map(({ body }) => project.call(`${path}/examples/${body.id}`, { method: 'DELETE' })),
    );
    expect((await get(path)).exampleCount).toBe(15);
    const examples = [manualExample('a'), manualExample('b')];
    await project.call(`${path}/examples/batch`, { body: { examples } });
    await project.call(`${path}/imports?format=jsonl`, { body: JSON.stringify(manualExample('c')) });
    expect((await get(path)).exampleCount).toBe(18);
    expect(await allExamples(project, path)).toHaveLength(18);
    // A refused request, and a second delete, change nothing.
    await project.call(`${path}/examples`, { body: {} });
    await project.call(`${path}/examples/${made[0]?.body.id}`, { method: 'DELETE' });
    expect((await get(path)).exampleCount).toBe(18);
  });
});

describe('Dataset endpoints', () => {
  it('GET /datasets: query limit, cursor; response exposes nextCursor', async () => {
    const own = await createTestProject('listed datasets');
    const made = [];
    for (let index = 0; index < 3; index += 1) made.unshift((await createTestDataset(own)).dataset.id);
    const page = async (query: string) =>
      (await own.call<{ datasets: Dataset[]; nextCursor: string | null }>(`/datasets${query}`)).body;
    const first = await page('?limit=2');
    const second = await page(`?limit=2&cursor=${first.nextCursor}`);
    expect([...first.datasets, ...second.datasets].map(({ id }) => id)).toEqual(made);
    expect(second.nextCursor).toBeNull();
  });

  it.each([
    ['limit=1', 200],
    ['limit=1000', 200],
    ['limit=0', 400],
    ['limit=1001', 400],
    ['limit=ten', 400],
    ['cursor=abc', 400],
  ])('page size of the Dataset list: 1 to 1000 (?%s is %d)', async (query, status) => {
    expect((await project.call(`/datasets?${query}`)).status).toBe(status);
  });

  it('the default page size of the Dataset list is 100; its cursor is of no other project', async () => {
    const own = await createTestProject('many datasets');
    const create = (index: number) => createTestDataset(own, { name: `${index}` });
    // A key may have at most a hundred requests in flight.
    await Promise.all(Array.from({ length: 51 }, (_, index) => create(index)));
    await Promise.all(Array.from({ length: 50 }, (_, index) => create(51 + index)));
    const { body } = await own.call<{ datasets: Dataset[]; nextCursor: string }>('/datasets');
    expect([body.datasets.length, typeof body.nextCursor]).toEqual([100, 'string']);
    expect((await project.call(`/datasets?cursor=${body.nextCursor}`)).status).toBe(400);
  });

  it('the default page size of the Example list is 100', async () => {
    const { path } = await createTestDataset(project);
    const examples = Array.from({ length: 101 }, (_, index) => manualExample(`${index}`));
    await project.call(`${path}/examples/batch`, { body: { examples } });
    const { body } = await project.call<{ examples: unknown[]; nextCursor: string | null }>(`${path}/examples`);
    expect([body.examples.length, typeof body.nextCursor]).toEqual([100, 'string']);
  });

  it('POST answers 201 with the place, GET returns the Dataset, PATCH changes it, DELETE removes it', async () => {
    const made = await create({ name: 'whole life', schema: CHAT_V1 });
    expect(made.status).toBe(201);
    const path = `/datasets/${made.body.id}`;
    expect(made.headers.get('location')).toBe(`/v1/projects/${project.id}${path}`);
    expect(await get(path)).toEqual(made.body);
    expect(await patch(path, { name: 'renamed' })).toMatchObject({ status: 200, body: { name: 'renamed' } });
    await eventually(async () => expect((await project.call(path, { method: 'DELETE' })).status).toBe(204));
    expect((await project.call(path)).status).toBe(404);
    const { body } = await project.call<{ datasets: Dataset[] }>('/datasets?limit=1000');
    expect(body.datasets.map(({ id }) => id)).not.toContain(made.body.id);
    await eventually(async () => expect((await project.call(path, { method: 'DELETE' })).status).toBe(204));
  });

  it('API-key scope: workspace:read for reads; models:manage for writes', async () => {
    const { path } = await createTestDataset(project);
    const reader = (await createKey(project.id, { name: 'reader', scopes: ['workspace:read'] })).secret;
    const writer = (await createKey(project.id, { name: 'writer', scopes: ['models:manage'] })).secret;
    const at = `/v1/projects/${project.id}${path}`;
    expect((await callApi(reader, at)).status).toBe(200);
    expect((await callApi(writer, at)).status).toBe(403);
    const change = { method: 'PATCH', body: { name: 'x' } };
    expect((await callApi(writer, at, change)).status).toBe(200);
    const refused = await callApi(reader, at, change);
    expect([refused.status, refused.body.message]).toEqual([403, 'The scope models:manage is required']);
    const { body: example } = await project.call<{ id: string }>(`${path}/examples`, { body: manualExample('a') });
    const reads = ['/examples', `/examples/${example.id}`, '/versions', '/versions/diff?from=0&to=1', '/export'];
    for (const read of reads) {
      const [allowed, denied] = [await callApi(reader, `${at}${read}`), await callApi(writer, `${at}${read}`)];
      expect({ read, answers: [allowed.status, denied.status] }).toEqual({ read, answers: [200, 403] });
    }
    const writes: [string, ApiRequest, number][] = [
      ['/examples', { body: manualExample('b') }, 201],
      ['/examples/batch', { body: { examples: [manualExample('c')] } }, 201],
      [`/examples/${example.id}`, { method: 'PATCH', body: { tags: ['x'] } }, 200],
      [`/examples/${example.id}`, { method: 'DELETE' }, 204],
      ['/imports?format=jsonl', { body: JSON.stringify(manualExample('d')) }, 200],
    ];
    for (const [write, request, status] of writes) {
      const [denied, allowed] = [
        await callApi(reader, `${at}${write}`, request),
        await callApi(writer, `${at}${write}`, request),
      ];
      expect({ write, answers: [denied.status, allowed.status] }).toEqual({ write, answers: [403, status] });
    }
    expect((await callApi(reader, `/v1/projects/${project.id}/datasets`, { body: {} })).status).toBe(403);
    expect((await callApi(reader, at, { method: 'DELETE' })).status).toBe(403);
  });

  it('validation errors carry {error: "Bad Request", message}, and name every field', async () => {
    const { status, body } = await create({ name: '', schema: CHAT_V1, description: 7, unknown: true });
    expect([status, body.error]).toEqual([400, 'Bad Request']);
    expect(body.details?.map(({ path }) => path).toSorted()).toEqual(['body', 'body.description', 'body.name']);
  });

  it('Idempotency-Key: a repeated creation makes one Dataset', async () => {
    const request = { body: { name: 'once', schema: CHAT_V1 }, headers: { 'idempotency-key': 'e2e-once' } };
    const first = await project.call<Dataset>('/datasets', request);
    const again = await project.call<Dataset>('/datasets', request);
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('ETag and If-Match: a change of what has changed meanwhile is 412', async () => {
    const { path } = await createTestDataset(project);
    const etag = (await project.call(path)).headers.get('etag') ?? '';
    const change = { method: 'PATCH', body: { name: 'first' }, headers: { 'if-match': etag } };
    expect((await project.call(path, change)).status).toBe(200);
    expect((await project.call(path, change)).status).toBe(412);
  });
});
