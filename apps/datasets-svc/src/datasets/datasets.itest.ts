import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { datasetModelsNamed, deedRecorded, type Dataset } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { nativeDb } from '@clew/persistence';
import { eventually, useTestEnvironment, useCleanup } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import {
  CHAT_V1,
  manualExample,
  PROJECT_ID,
  STARTED_AT,
  startTestService,
  type TestService,
} from '../test-support/service.ts';

const environment = useTestEnvironment();
const cleanup = useCleanup();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

const create = (body: unknown) => service.call<Dataset>({ method: 'POST', path: '/datasets', body });
const patch = (path: string, body: unknown, headers = {}) =>
  service.call<Dataset>({ method: 'PATCH', path, body, headers });
const remove = (path: string, by = service) => by.call({ method: 'DELETE', path });

describe('a Dataset', () => {
  it('is made with what is given, and collects unless that is switched off', async () => {
    const { status, body, headers } = await create({ name: '  Support  ', schema: CHAT_V1 });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^dst_/),
        projectId: PROJECT_ID,
        name: 'Support',
        description: null,
        schema: CHAT_V1,
        collectionPolicy: null,
        collectionEnabled: true,
        collectedRedaction: 'on',
        collectionCatchUp: { days: 7, conversations: 1_000 },
        dailySyntheses: 100,
        collectionStatus: 'off',
        blockedReason: null,
        exampleCount: 0,
        version: 0,
        contentId: expect.stringMatching(/^dsv_/),
        createdAt: service.clock.now(),
        updatedAt: service.clock.now(),
      },
    });
    expect(headers.get('location')).toBe(`/v1/projects/${PROJECT_ID}/datasets/${body.id}`);
    expect(await service.call({ path: `/datasets/${body.id}` })).toMatchObject({ status: 200, body });
  });

  it.each([
    ['another type', { type: 'text', version: 1 }],
    ['another version', { type: 'chat', version: 2 }],
    ['a further member', { type: 'chat', version: 1, strict: true }],
    ['a text', 'chat/v1'],
    ['null', null],
    ['nothing', undefined],
  ])('is refused with a schema that is %s, in the words of the specification', async (_name, schema) => {
    expect(await create({ name: 'x', schema })).toMatchObject({
      status: 400,
      body: { error: 'Bad Request', message: 'schema must be chat/v1' },
    });
  });

  it('is refused with every field that is wrong named', async () => {
    const { status, body } = await service.call<{ details: { path: string }[] }>({
      ...{ method: 'POST', path: '/datasets' },
      body: {
        name: ' ',
        schema: CHAT_V1,
        collectionObjective: 'win',
        collectionModel: 'gpt',
        collectionEnabled: 'yes',
        collectionFilters: { categories: [] },
        exampleCount: 7,
      },
    });
    expect(status).toBe(400);
    expect(body.details.map(({ path }) => path).toSorted()).toEqual([
      'body',
      'body.collectionEnabled',
      'body.collectionFilters',
      'body.collectionModel',
      'body.collectionObjective',
      'body.name',
    ]);
  });

  it('tells which model it names, once for each time that it is another, and that it names none once it is deleted', async () => {
    const { dataset, path } = await service.newDataset(PROJECT_ID, {
      ...{ collectionObjective: 'correct_failed_conversations', collectionModel: 'acme/large' },
    });
    await patch(path, { name: 'other' });
    await patch(path, { collectionModel: 'acme/small' });
    await patch(path, { collectionFilters: null });
    await service.call({ method: 'DELETE', path });
    const told = await emittedMessages(service.database, datasetModelsNamed, PROJECT_ID);
    expect(told.map(({ data }) => data).filter(({ datasetId }) => datasetId === dataset.id)).toEqual([
      { datasetId: dataset.id, models: ['acme/large'], revision: 1 },
      { datasetId: dataset.id, models: ['acme/small'], revision: 2 },
      { datasetId: dataset.id, models: [], revision: 3 },
    ]);
  });

  it('is changed field by field; its policy gets a new revision with each change of it', async () => {
    const { path } = await service.newDataset(PROJECT_ID, {
      collectionObjective: 'teach_project_knowledge',
      collectionFilters: { knowledgeGoalIds: ['goal_1'] },
    });
    const first = (await service.call<Dataset>({ path })).body;
    expect(first).toMatchObject({
      collectionPolicy: {
        objective: 'teach_project_knowledge',
        model: 'service/auto',
        filters: { knowledgeGoalIds: ['goal_1'] },
      },
      collectionStatus: 'setup_required',
      blockedReason: expect.stringContaining('service/auto'),
    });
    const renamed = (await patch(path, { name: 'other', description: 'words' })).body;
    expect(renamed).toMatchObject({ name: 'other', description: 'words', collectionPolicy: first.collectionPolicy });
    const remodelled = (await patch(path, { collectionModel: 'openai/gpt-x' })).body;
    expect(remodelled.collectionPolicy).toMatchObject({ model: 'openai/gpt-x', objective: 'teach_project_knowledge' });
    expect(remodelled.collectionPolicy?.revision).not.toBe(first.collectionPolicy?.revision);
    const frozen = (await patch(path, { collectionEnabled: false })).body;
    expect(frozen).toMatchObject({ collectionStatus: 'off', collectionPolicy: remodelled.collectionPolicy });
    const bare = (await patch(path, { collectionObjective: null })).body;
    expect(bare).toMatchObject({ collectionPolicy: null, name: 'other' });
    const again = (await patch(path, { collectionObjective: 'preserve_successful_behavior', collectionEnabled: true }))
      .body;
    expect(again).toMatchObject({ collectionStatus: 'ready' });
    const revisions = [first, remodelled, again].map(({ collectionPolicy }) => collectionPolicy?.revision);
    expect(new Set(revisions).size).toBe(3);
  });

  it.each([
    ['a name', { name: 'other' }],
    ['a policy', { collectionObjective: 'preserve_successful_behavior' }],
    ['what it is already', { collectionEnabled: true }],
  ])('answers a PATCH of %s with what a GET shows next, and its ETag', async (_name, change) => {
    const { path, dataset } = await service.newDataset();
    service.clock.advance(1_000);
    const changed = await patch(path, change);
    const read = await service.call<Dataset>({ path });
    expect(changed.body).toEqual(read.body);
    expect(changed.headers.get('etag')).toBe(read.headers.get('etag'));
    const isChange = !('collectionEnabled' in change);
    expect(changed.body.updatedAt).toBe(dataset.updatedAt + (isChange ? 1_000 : 0));
  });

  it.each([
    ['its schema', { schema: CHAT_V1 }, 'schema cannot be changed'],
    ['an unknown field', { exampleCount: 1 }, expect.any(String)],
    ['nothing', {}, expect.any(String)],
    ['an empty name', { name: '' }, expect.any(String)],
    ['a model without an objective', { collectionModel: 'openai/gpt' }, expect.stringContaining('collectionObjective')],
  ])('is not changed by a PATCH of %s, which is 400', async (_name, body, message) => {
    const { path, dataset } = await service.newDataset();
    expect(await patch(path, body)).toMatchObject({ status: 400, body: { error: 'Bad Request', message } });
    expect((await service.call({ path })).body).toEqual(dataset);
  });

  it('is changed only while it is what If-Match names', async () => {
    const { path } = await service.newDataset();
    const etag = (await service.call({ path })).headers.get('etag') ?? '';
    expect((await patch(path, { name: 'one' }, { 'if-match': etag })).status).toBe(200);
    expect(await patch(path, { name: 'two' }, { 'if-match': etag })).toMatchObject({
      status: 412,
      body: { code: 'PRECONDITION_FAILED' },
    });
    const current = (await service.call({ path })).headers.get('etag') ?? '';
    await service.newExample(path);
    expect((await patch(path, { name: 'two' }, { 'if-match': current })).status).toBe(412);
  });
});

describe('the list of Datasets', () => {
  it('is walked newest first, each once, and shows those of the project alone', async () => {
    const projectId = newId('prj');
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      if (index % 2 === 0) service.clock.advance(1);
      ids.unshift((await service.newDataset(projectId)).dataset.id);
    }
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await service.call<{ datasets: Dataset[]; nextCursor: string | null }>({
        ...{ projectId, path: `/datasets?limit=2${query}` },
      });
      seen.push(...body.datasets.map(({ id }) => id));
      cursor = body.nextCursor;
    }
    expect(seen).toEqual(ids);
  });
});

describe('a deleted Dataset', () => {
  it('has its deletion recorded for the audit, once', async () => {
    const { body } = await create({ name: 'Doomed', schema: CHAT_V1 });
    for (let repeat = 0; repeat < 2; repeat += 1) await remove(`/datasets/${body.id}`);
    const deeds = await emittedMessages(service.database, deedRecorded, PROJECT_ID);
    expect(deeds.map(({ data }) => data).filter(({ target }) => target.id === body.id)).toMatchObject([
      { action: 'dataset.deleted', before: { name: 'Doomed', exampleCount: 0 }, after: null },
    ]);
  });

  const PAGED = { pageSize: 10, pollMs: 20, leaseMs: 500 };

  async function filled(by: TestService, count: number) {
    const { path } = await by.newDataset();
    const examples = Array.from({ length: count }, (_, index) => manualExample(`${index}`));
    await by.call({ method: 'POST', path: `${path}/examples/batch`, body: { examples } });
    await by.newExample(path);
    const { id } = await by.newExample(path);
    await by.call({ method: 'DELETE', path: `${path}/examples/${id}` });
    return path;
  }

  /** Number of documents in all collections that still belong to the Dataset, besides its own row. */
  async function leftOf(path: string): Promise<number> {
    const db = nativeDb(service.database.connection);
    const collections = await db.listCollections({}, { nameOnly: true }).toArray();
    const datasetId = path.slice('/datasets/'.length);
    const counts = await Promise.all(
      collections
        .filter(({ name }) => !name.startsWith('system.'))
        .map(({ name }) => db.collection(name).countDocuments({ datasetId })),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  it('is gone with all that belonged to it: 204, and again 204', async () => {
    const path = await filled(service, 30);
    expect(await leftOf(path)).toBeGreaterThan(30);
    await eventually(async () => expect((await remove(path)).status).toBe(204));
    expect(await leftOf(path)).toBe(0);
    expect((await remove(path)).status).toBe(204);
    expect((await remove(`/datasets/${newId('dst')}`)).status).toBe(404);
  });

  it('is hidden at once, everywhere, while its removal still runs: 202', async () => {
    const path = await filled(service, 30);
    const db = nativeDb(service.database.connection);
    // Another process holds the claim.
    await db
      .collection('datasets')
      .updateOne({ _id: path.slice('/datasets/'.length) as never }, { $set: { leaseUntil: STARTED_AT + 60_000 } });
    expect(await remove(path)).toMatchObject({ status: 202, body: { status: 'deleting' } });
    expect(await leftOf(path)).toBeGreaterThan(30);
    for (const part of ['', '/examples', '/versions', '/versions/diff?from=0&to=1', '/examples?version=1']) {
      expect((await service.call({ path: `${path}${part}` })).status).toBe(404);
    }
    expect((await patch(path, { name: 'x' })).status).toBe(404);
    const create = { method: 'POST', path: `${path}/examples`, body: manualExample() } as const;
    expect((await service.call(create)).status).toBe(404);
    const { body } = await service.call<{ datasets: Dataset[] }>({ path: '/datasets?limit=1000' });
    expect(body.datasets.map(({ id }) => `/datasets/${id}`)).not.toContain(path);
  });

  it('goes on being removed where a process that began it was killed', async () => {
    const path = await filled(service, 60);
    const datasetId = path.slice('/datasets/'.length);
    const db = nativeDb(service.database.connection);
    // State after a killed process: some pages are gone, and its lease has not expired yet.
    const claimed = { claim: 'killed', leaseUntil: STARTED_AT + 60_000, attempts: 1 };
    await db
      .collection('datasets')
      .updateOne({ _id: datasetId as never }, { $set: { state: 'deleting', dueAt: STARTED_AT, ...claimed } });
    const page = await db.collection('examples').find({ datasetId }).limit(20).toArray();
    await db.collection('examples').deleteMany({ _id: { $in: page.map(({ _id }) => _id) } });
    const other = await startTestService(environment, { removal: PAGED });
    cleanup(() => other.stop());
    const removal = other.datasets.remover.start();
    cleanup(() => removal.stop());
    expect((await remove(path)).status).toBe(202);
    other.clock.advance(60_000);
    await eventually(async () => expect(await leftOf(path)).toBe(0));
    await eventually(async () => expect((await remove(path)).status).toBe(204));
  });

  it('takes no Example that is created at the same moment', async () => {
    const { path } = await service.newDataset();
    const other = await startTestService(environment);
    cleanup(() => other.stop());
    const create = (by: TestService, index: number) =>
      by.call({ method: 'POST', path: `${path}/examples`, body: manualExample(`${index}`) });
    const creates = Array.from({ length: 40 }, (_, index) => create(index % 2 === 0 ? service : other, index));
    const removed = remove(path);
    const answers = await Promise.all(creates);
    await removed;
    expect(answers.every(({ status }) => status === 201 || status === 404)).toBe(true);
    await eventually(async () => expect((await remove(path)).status).toBe(204));
    expect(await leftOf(path)).toBe(0);
  });
});
