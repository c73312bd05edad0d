import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Dataset, Example } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { nativeDb } from '@clew/persistence';
import { useTestEnvironment } from '@clew/testing';
import { manualExample, OTHER_PROJECT_ID, startTestService, type TestService } from '../test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

const read = async (path: string) => (await service.call<Dataset>({ path })).body;

describe('an Example', () => {
  it('is answered with 201, its place and its entity tag, and read back the same', async () => {
    const { path, dataset } = await service.newDataset();
    const body = manualExample('hello', { tags: ['b', 'a'] });
    const made = await service.call<Example>({ method: 'POST', path: `${path}/examples`, body });
    expect(made).toMatchObject({
      status: 201,
      body: { ...body, datasetId: dataset.id, projectId: dataset.projectId, version: 1 },
    });
    expect(made.headers.get('location')).toBe(
      `/v1/projects/${dataset.projectId}/datasets/${dataset.id}/examples/${made.body.id}`,
    );
    const found = await service.call<Example>({ path: `${path}/examples/${made.body.id}` });
    expect(found).toMatchObject({ status: 200, body: made.body });
    expect(found.headers.get('etag')).toBe(made.headers.get('etag'));
    expect(await read(path)).toMatchObject({ exampleCount: 1, version: 1 });
  });

  it('keeps any JSON as it is: depth, order of members, names of members, zero characters', async () => {
    const { path } = await service.newDataset();
    const text = '{"type":"json","value":{"z":1,"a":{"$set":{"a.b":[null,1e21,-0.5,""]}},"__proto__":{"x":"\\u0000"}}}';
    const body = { source: { kind: 'import', externalRef: 'x' }, payload: { input: JSON.parse(text) as unknown } };
    const { id } = await service.newExample(path, body);
    const { text: answered } = await service.call({ path: `${path}/examples/${id}` });
    expect(answered).toContain(`"input":${JSON.stringify(JSON.parse(text))}`);
  });

  it.each([
    ['half a character', '"\\ud800"', 'body.payload'],
    ['a number that no double can be', '1e999', 'body.payload.input.value'],
    ['an integer that no double can be', '9007199254740993', 'body.payload.input.value'],
  ])('refuses %s, which would not come back, with 400', async (_name, value, field) => {
    const { path } = await service.newDataset();
    const source = '{"kind":"import","externalRef":"x"}';
    const answer = await service.send(
      `${path}/examples`,
      `{"source":${source},"payload":{"input":{"type":"json","value":${value}}}}`,
    );
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'Bad Request', details: [{ path: field, message: expect.any(String) }] },
    });
  });

  it('is refused with 400 where it is larger than 4 MiB, in a batch too', async () => {
    const { path } = await service.newDataset();
    const answer = await service.call({
      ...{ method: 'POST', path: `${path}/examples/batch` },
      body: { examples: [manualExample('x'.repeat(4 * 1024 * 1024))] },
    });
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'body.examples.0' }] } });
  });

  it('is gone after DELETE, which may be repeated, and leaves the count', async () => {
    const { path } = await service.newDataset();
    const { id } = await service.newExample(path);
    const remove = async () => (await service.call({ method: 'DELETE', path: `${path}/examples/${id}` })).status;
    expect(await remove()).toBe(204);
    expect(await remove()).toBe(204);
    expect((await service.call({ path: `${path}/examples/${id}` })).status).toBe(404);
    expect(await read(path)).toMatchObject({ exampleCount: 0, version: 2 });
  });

  it('has its source, tags or payload replaced by PATCH, and keeps its time and place', async () => {
    const { path } = await service.newDataset();
    const made = await service.newExample(path, manualExample('old', { tags: ['a'] }));
    service.clock.advance(1_000);
    const { status, body, headers } = await service.call<Example>({
      ...{ method: 'PATCH', path: `${path}/examples/${made.id}` },
      body: { payload: { input: { type: 'text', text: 'new' } } },
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        ...made,
        payload: { input: { type: 'text', text: 'new' } },
        version: 2,
        updatedAt: made.updatedAt + 1_000,
      },
    });
    expect(headers.get('etag')).not.toBe(`"${made.id}.1"`);
    expect(await read(path)).toMatchObject({ exampleCount: 1, version: 2 });
  });

  it('makes no version where PATCH brings what is there already', async () => {
    const { path } = await service.newDataset();
    const made = await service.newExample(path, manualExample('same', { tags: ['a'] }));
    const { body } = await service.call({
      ...{ method: 'PATCH', path: `${path}/examples/${made.id}` },
      body: { tags: ['a'] },
    });
    expect(body).toEqual(made);
    expect(await read(path)).toMatchObject({ version: 1 });
  });

  it('is changed and deleted only while it is what If-Match names', async () => {
    const { path } = await service.newDataset();
    const { id } = await service.newExample(path);
    const at = `${path}/examples/${id}`;
    const etag = (await service.call({ path: at })).headers.get('etag') ?? '';
    const patch = (tags: string[], match: string) =>
      service.call({ method: 'PATCH', path: at, body: { tags }, headers: { 'if-match': match } });
    expect((await patch(['one'], etag)).status).toBe(200);
    const late = await patch(['two'], etag);
    expect(late).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    const remove = (match: string) => service.call({ method: 'DELETE', path: at, headers: { 'if-match': match } });
    expect((await remove(`W/${late.headers.get('etag')}`)).status).toBe(412);
    expect((await service.call<Example>({ path: at })).body.tags).toEqual(['one']);
    expect((await patch(['three'], '*')).status).toBe(200);
    expect((await remove(`"other", "${id}.3"`)).status).toBe(204);
  });

  it('names every field that is wrong, and keeps the words of the specification for its message', async () => {
    const { path } = await service.newDataset();
    const { status, body } = await service.call({
      ...{ method: 'POST', path: `${path}/examples` },
      body: {
        source: { kind: 'conversation', traceIds: [], by: 'me' },
        tags: ['', 'a', 'a'],
        payload: { input: { type: 'chat', messages: [] }, expectedOutput: { type: 'text', label: 'x' } },
        metadata: {},
      },
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: 'Bad Request',
      message: 'source.conversationId is required for conversation sources',
    });
    const paths = (body['details'] as { path: string }[]).map((detail) => detail.path);
    expect(new Set(paths)).toEqual(
      new Set([
        'body',
        'body.source',
        'body.source.conversationId',
        'body.source.traceIds',
        'body.tags',
        'body.tags.0',
        'body.payload.input.messages',
        'body.payload.expectedOutput',
        'body.payload.expectedOutput.text',
      ]),
    );
  });

  it('is found through its own Dataset only, whoever has the other one', async () => {
    const [own, beside] = [await service.newDataset(), await service.newDataset()];
    const foreign = await service.newDataset(OTHER_PROJECT_ID);
    const made = await service.newExample(own.path);
    for (const [path, projectId] of [[beside.path], [foreign.path, OTHER_PROJECT_ID]] as const) {
      const at = { path: `${path}/examples/${made.id}`, ...(projectId === undefined ? {} : { projectId }) };
      expect((await service.call(at)).status).toBe(404);
      expect((await service.call({ ...at, method: 'PATCH', body: { tags: ['x'] } })).status).toBe(404);
      expect((await service.call({ ...at, method: 'DELETE' })).status).toBe(404);
    }
    expect((await service.call({ path: `${own.path}/examples/${made.id}` })).body).toEqual(made);
  });

  it('of another project is the same 404 as one that is missing', async () => {
    const { path } = await service.newDataset();
    const { id } = await service.newExample(path);
    const withoutId = ({ body }: { body: Record<string, unknown> }) => ({ ...body, requestId: '' });
    const missing = await service.call({ path: `${path}/examples/${newId('ex')}` });
    for (const method of ['GET', 'DELETE', 'PATCH'] as const) {
      const foreign = await service.call({
        ...{ method, path: `${path}/examples/${id}`, projectId: OTHER_PROJECT_ID },
        ...(method === 'PATCH' ? { body: { tags: [] } } : {}),
      });
      expect(foreign.status).toBe(404);
      expect(withoutId(foreign)).toEqual(withoutId(missing));
    }
  });
});

describe('the list of Examples', () => {
  it('is walked newest first, each once, by cursors that are bound to it', async () => {
    const { path } = await service.newDataset();
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      if (index % 3 === 0) service.clock.advance(1);
      ids.unshift((await service.newExample(path, manualExample(`${index}`))).id);
    }
    for (const limit of [1, 3, 7, 1000]) {
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const { body } = await service.call<ListBody>({ path: `${path}/examples?limit=${limit}${query}` });
        seen.push(...body.examples.map(({ id }) => id));
        cursor = body.nextCursor;
      }
      expect(seen).toEqual(ids);
    }
    const { body } = await service.call<ListBody>({ path: `${path}/examples?limit=1` });
    const other = await service.newDataset();
    for (const stranger of [`${other.path}/examples?`, `${path}/examples?version=1&`, `${path}/versions?`]) {
      const answer = await service.call({ path: `${stranger}cursor=${body.nextCursor}` });
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR' } });
    }
  });

  it('ends a page early where the Examples are large, and goes on after it', async () => {
    const { path } = await service.newDataset();
    for (let index = 0; index < 3; index += 1) {
      const body = { examples: [manualExample(`${index}${'x'.repeat(4_000_000)}`)] };
      expect((await service.call({ method: 'POST', path: `${path}/examples/batch`, body })).status).toBe(201);
    }
    const first = (await service.call<ListBody>({ path: `${path}/examples` })).body;
    expect(first.examples).toHaveLength(2);
    const rest = (await service.call<ListBody>({ path: `${path}/examples?cursor=${first.nextCursor}` })).body;
    expect(rest.examples).toHaveLength(1);
    expect(rest.nextCursor).toBeNull();
  });

  it.each(['limit=0', 'limit=1001', 'limit=x', 'limit=', 'offset=1', 'cursor=x', 'version=-1', 'limit=1&limit=2'])(
    'refuses ?%s with 400',
    async (query) => {
      const { path } = await service.newDataset();
      expect((await service.call({ path: `${path}/examples?${query}` })).status).toBe(400);
    },
  );
});

describe('many creates at once', () => {
  it('are each counted, each a version, in fewer transactions', async () => {
    const { path } = await service.newDataset();
    const made = await Promise.all(
      Array.from({ length: 100 }, (_, index) => service.newExample(path, manualExample(`${index}`))),
    );
    expect(new Set(made.map(({ version }) => version)).size).toBe(100);
    expect(await read(path)).toMatchObject({ exampleCount: 100, version: 100 });
    const events = await nativeDb(service.database.connection)
      .collection('outbox')
      .countDocuments({ body: { $regex: path.slice('/datasets/'.length) } });
    expect(events).toBeLessThan(60);
  });

  it('fail alone: what one is refused for does not touch those beside it', async () => {
    const { path } = await service.newDataset();
    const { id } = await service.newExample(path);
    const outcomes = await Promise.all([
      ...Array.from({ length: 10 }, (_, index) => service.call({ ...create(path, `${index}`) })),
      service.call({ method: 'PATCH', path: `${path}/examples/${newId('ex')}`, body: { tags: [] } }),
      service.call({
        method: 'PATCH',
        path: `${path}/examples/${id}`,
        body: { tags: [] },
        headers: { 'if-match': '"x"' },
      }),
      ...Array.from({ length: 10 }, (_, index) => service.call({ ...create(path, `more ${index}`) })),
    ]);
    const statuses = outcomes.map(({ status }) => status);
    expect(statuses).toEqual([...Array<number>(10).fill(201), 404, 412, ...Array<number>(10).fill(201)]);
    expect(await read(path)).toMatchObject({ exampleCount: 21 });
  });

  it('are told 503 where too many wait', async () => {
    const crowded = await startTestService(environment, { maxWaitingChanges: 2 });
    const { path } = await crowded.newDataset();
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => crowded.call(create(path, `${index}`))));
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ body: { code: 'OVERLOADED' } });
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    const { exampleCount } = (await crowded.call<Dataset>({ path })).body;
    expect(exampleCount).toBe(answers.filter(({ status }) => status === 201).length);
    await crowded.stop();
  });
});

function create(path: string, text: string) {
  return { method: 'POST', path: `${path}/examples`, body: manualExample(text) } as const;
}

interface ListBody {
  examples: Example[];
  nextCursor: string | null;
}
