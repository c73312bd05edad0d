import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ApiError,
  BadRequestError,
  Clew,
  ClewError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  NotFoundError,
  PreconditionFailedError,
  RateLimitedError,
  TimeoutError,
  UnauthenticatedError,
  UnavailableError,
} from './index.ts';
import {
  cutAnswer,
  errorBody,
  gathered,
  noAnswer,
  startStubApi,
  type StubAnswer,
  type StubApi,
} from './test-support/stub-api.ts';

const KEY = 'clew_test_secret';
const schema = { type: 'chat', version: 1 } as const;
const NOW = { 'retry-after': '0' };
let stub: StubApi;
let clew: Clew;
const logged: string[] = [];
const logger = {
  debug: (message: string) => void logged.push(message),
  warn: (message: string) => void logged.push(message),
};

beforeAll(async () => {
  stub = await startStubApi();
  clew = new Clew({ baseUrl: stub.url, apiKey: KEY, project: 'prj_1', logger });
});
afterAll(() => stub.close());

/** Waits for a call and returns what it throws. */
async function thrownBy(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown');
}

describe('a call', () => {
  it('names its path, its query with lists joined by commas, and its key', async () => {
    stub.answer({ json: { findings: [], pagination: { limit: 5, nextCursor: null } } });
    await clew.findings.list({ severity: ['critical', 'high'], limit: 5, assignee: undefined });
    expect(stub.seen).toHaveLength(1);
    expect(stub.seen[0]).toMatchObject({
      method: 'GET',
      url: '/v1/projects/prj_1/diagnostics/findings?severity=critical%2Chigh&limit=5',
      headers: { authorization: `Bearer ${KEY}`, accept: 'application/json' },
    });
    expect(stub.seen[0]?.headers['user-agent']).toMatch(/^clew-sdk-js\//);
  });

  it('encodes what stands in the path, so that no id leads anywhere else', async () => {
    stub.answer({ json: {} });
    await clew.findings.get('../../keys?x=1', { project: 'prj/2' });
    expect(stub.seen[0]?.url).toBe('/v1/projects/prj%2F2/diagnostics/findings/..%2F..%2Fkeys%3Fx%3D1');
  });

  it('has one idempotency key over all its attempts, and another one each time', async () => {
    stub.answer({ status: 503, headers: NOW, json: errorBody('OVERLOADED') }, noAnswer, {
      status: 201,
      json: { id: 'ds_1' },
    });
    expect(await clew.datasets.create({ name: 'One', schema })).toEqual({ id: 'ds_1' });
    const keys = stub.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    stub.answer({ status: 201, json: { id: 'ds_2' } });
    await clew.datasets.create({ name: 'Two', schema });
    expect(stub.seen[0]?.headers['idempotency-key']).not.toBe(keys[0]);
    await clew.datasets.create({ name: 'Two', schema }, { idempotencyKey: 'mine' });
    expect(stub.seen[1]?.headers['idempotency-key']).toBe('mine');
  });

  it('that has no key is not made again when it may have taken effect, but when it was refused', async () => {
    stub.answer(noAnswer, { json: {} });
    expect(await thrownBy(clew.webhooks.test('w'))).toBeInstanceOf(ConnectionError);
    expect(stub.seen).toHaveLength(1);
    stub.answer({ status: 429, headers: NOW, json: errorBody('RATE_LIMITED') }, { json: { id: 'd' } });
    expect(await clew.webhooks.test('w')).toEqual({ id: 'd' });
  });

  it('under an entity tag is not made again when its own effect would refuse it', async () => {
    stub.answer(noAnswer, { json: {} });
    const call = clew.findings.update('f', { reviewStatus: 'confirmed' }, { ifMatch: '"1"' });
    expect(await thrownBy(call)).toBeInstanceOf(ConnectionError);
    expect(stub.seen).toHaveLength(1);
    expect(stub.seen[0]?.headers['if-match']).toBe('"1"');
  });

  it('reads an answer again that was cut', async () => {
    stub.answer(cutAnswer('{"id":"f'), { json: { id: 'f' } });
    const { data, attempts } = await clew.findings.get('f').withResponse();
    expect([data, attempts]).toEqual([{ id: 'f' }, 2]);
  });

  it('that removes something is done when a lost attempt has removed it, and else says that there is nothing', async () => {
    const gone = { status: 404, json: errorBody('NOT_FOUND') };
    stub.answer(noAnswer, gone);
    expect(await clew.providers.delete('p')).toBeUndefined();
    stub.answer(gone);
    expect(await thrownBy(clew.providers.delete('p'))).toBeInstanceOf(NotFoundError);
  });

  it('is given up after its retries, and at once where the server asks for a longer wait than anybody has', async () => {
    stub.answer({ status: 503, headers: NOW, json: errorBody('OVERLOADED') });
    expect(await thrownBy(clew.me.get({ maxRetries: 1 }))).toBeInstanceOf(UnavailableError);
    expect(stub.seen).toHaveLength(2);
    stub.answer({ status: 429, headers: { 'retry-after': '3600' }, json: errorBody('QUOTA_EXCEEDED') });
    const error = await thrownBy(clew.me.get());
    expect(error).toMatchObject({ code: 'QUOTA_EXCEEDED', retryAfterMs: 3_600_000 });
    expect(stub.seen).toHaveLength(1);
  });

  it.each([
    [400, BadRequestError],
    [401, UnauthenticatedError],
    [403, ForbiddenError],
    [404, NotFoundError],
    [409, ConflictError],
    [412, PreconditionFailedError],
    [422, BadRequestError],
    [429, RateLimitedError],
    [500, UnavailableError],
    [504, UnavailableError],
  ])('answered with %d throws the error of that status', async (status, Class) => {
    const details = [{ path: 'body.name', message: 'is missing' }];
    stub.answer({ status, json: { ...errorBody('SOME_CODE', 'Not so'), details } });
    const error = await thrownBy(clew.findings.get('f', { maxRetries: 0 }));
    expect(error).toBeInstanceOf(Class);
    expect(error).toMatchObject({ status, code: 'SOME_CODE', details, requestId: 'req_1' });
    expect((error as Error).message).toBe(`GET /v1/projects/prj_1/diagnostics/findings/f: ${status} SOME_CODE: Not so`);
  });

  it('understands the errors of the OpenAI API, and those of a server in between', async () => {
    stub.answer({
      status: 409,
      json: { error: { message: 'away', type: 'x', param: null, code: 'model_unavailable' } },
    });
    expect(await thrownBy(clew.inference.models.list())).toMatchObject({ status: 409, code: 'MODEL_UNAVAILABLE' });
    stub.answer({ status: 502, text: '<html>Bad Gateway</html>' });
    expect(await thrownBy(clew.me.get({ maxRetries: 0 }))).toMatchObject({ status: 502, code: 'UNKNOWN' });
  });

  it('gives its error as a value whose code is one of its own', async () => {
    stub.answer({ status: 409, json: errorBody('ACTIVE_WORK_ITEM') });
    const result = await clew.findings.update('f', { reviewStatus: 'confirmed' }).result();
    if (result.ok) throw new Error('It was no error');
    // @ts-expect-error A code that this operation does not declare.
    expect(result.error.code === 'GATED_REPOSITORY').toBe(false);
    expect(result.error.code === 'ACTIVE_WORK_ITEM').toBe(true);
  });

  it('never tells the key, in errors or in what is logged', async () => {
    logged.length = 0;
    stub.answer(
      { status: 503, headers: NOW, json: errorBody('OVERLOADED') },
      { status: 401, json: errorBody('UNAUTHENTICATED') },
    );
    const error = await thrownBy(clew.me.get());
    expect(logged.length).toBeGreaterThan(0);
    expect(JSON.stringify([logged, error, (error as Error).message, (error as Error).stack])).not.toContain(KEY);
  });

  it('ends with its signal, with the time of an attempt, and with its own time', async () => {
    const silent = () => undefined;
    stub.answer(silent);
    const controller = new AbortController();
    const call = clew.me.get({ signal: controller.signal });
    controller.abort(new Error('enough'));
    expect(await thrownBy(call)).toMatchObject({ message: 'enough' });
    const late = await thrownBy(clew.me.get({ attemptTimeoutMs: 20, maxRetries: 0 }));
    expect(late).toBeInstanceOf(TimeoutError);
    expect(await thrownBy(clew.me.get({ timeoutMs: 30, attemptTimeoutMs: 5, maxRetries: 1_000 }))).toMatchObject({
      message: 'GET /v1/me: took longer than 30 ms',
    });
  });

  it('waits no longer than its own time for the next attempt', async () => {
    stub.answer({ status: 503, headers: { 'retry-after': '50' }, json: errorBody('OVERLOADED') });
    expect(await thrownBy(clew.me.get({ timeoutMs: 50 }))).toBeInstanceOf(TimeoutError);
  });

  it('refuses an answer that is too large, and a redirect', async () => {
    const small = new Clew({ baseUrl: stub.url, apiKey: KEY, maxResponseBytes: 10 });
    stub.answer({ json: { id: 'x'.repeat(20) } });
    expect(await thrownBy(small.me.get())).toMatchObject({ name: 'ClewError' });
    stub.answer({ status: 301, headers: { location: 'https://elsewhere.test/' } });
    expect(String(await thrownBy(clew.me.get()))).toContain('redirects to https://elsewhere.test/');
    expect(stub.seen).toHaveLength(1);
  });

  it('says what it lacks before it sends anything', async () => {
    stub.answer({ json: {} });
    const bare = new Clew({ baseUrl: stub.url, apiKey: KEY });
    expect(await thrownBy(bare.findings.get('f'))).toMatchObject({ message: 'Name a project, or set CLEW_PROJECT' });
    expect(await thrownBy(clew.findings.get(''))).toBeInstanceOf(ClewError);
    expect(() => new Clew({ baseUrl: 'ftp://x' })).toThrow(ClewError);
    expect(() => new Clew({ baseUrl: 'https://me:secret@x' })).toThrow('must not hold a name or password');
    expect(stub.seen).toHaveLength(0);
  });

  it('goes to any path, with the same errors', async () => {
    stub.answer({ json: { ok: true } });
    expect(await clew.request('POST', '/v1/anything', { query: { a: 1 }, body: { b: 2 } })).toEqual({ ok: true });
    expect(stub.seen[0]).toMatchObject({ method: 'POST', url: '/v1/anything?a=1', body: '{"b":2}' });
    stub.answer({ status: 404, json: errorBody('NOT_FOUND') });
    expect(await thrownBy(clew.request('GET', '/v1/nothing'))).toBeInstanceOf(ApiError);
  });

  it('is made under the session of a page without a key', async () => {
    stub.answer({ json: {} });
    const requests: RequestInit[] = [];
    const page = new Clew({
      baseUrl: stub.url,
      credentials: 'same-origin',
      fetch: (url, init = {}) => {
        requests.push(init);
        return fetch(url, init);
      },
    });
    await page.me.get();
    expect(requests[0]?.credentials).toBe('same-origin');
    expect(stub.seen[0]?.headers).not.toHaveProperty('authorization');
  });
});

describe('a list', () => {
  const pages = [
    { datasets: [{ id: 'a' }, { id: 'b' }], nextCursor: '1' },
    { datasets: [], nextCursor: '2' },
    { datasets: [{ id: 'c' }], nextCursor: null },
  ].map((json) => ({ json }));

  it('is iterated over all pages, also past an empty one', async () => {
    stub.answer(...pages);
    const ids: string[] = [];
    for await (const { id } of clew.datasets.list({ limit: 2 })) ids.push(id);
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(stub.seen.map(({ url }) => new URL(url, stub.url).search)).toEqual([
      '?limit=2',
      '?limit=2&cursor=1',
      '?limit=2&cursor=2',
    ]);
  });

  it('reads no page that nobody asks for', async () => {
    stub.answer(...pages);
    const list = clew.datasets.list();
    expect((await list).data.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(await list.toArray({ max: 2 })).toHaveLength(2);
    expect(stub.seen).toHaveLength(1);
    expect(await (await list).next()).toMatchObject({ data: [], nextCursor: '2' });
  });
});

describe('a change of something that others change too', () => {
  it('is made again on what it is now', async () => {
    const tagged = (etag: string, name: string) => ({ headers: { etag }, json: { name } });
    stub.answer(tagged('"1"', 'old'), { status: 412, json: errorBody('PRECONDITION_FAILED') }, tagged('"2"', 'new'), {
      json: { name: 'new!' },
    });
    const changed = await clew.edit(
      () => clew.datasets.get('d'),
      ({ name }, options) => clew.datasets.update('d', { name: `${name}!` }, options),
    );
    expect(changed).toEqual({ name: 'new!' });
    expect(stub.seen.map(({ headers }) => headers['if-match'])).toEqual([undefined, '"1"', undefined, '"2"']);
    expect(stub.seen[3]?.body).toBe('{"name":"new!"}');
  });
});

describe('an upload', () => {
  const report = { json: { imported: 2 } };

  it('sends a file, text, bytes or lines of things, and tells how far it is', async () => {
    const lines = [{ a: 1 }, { b: 'é' }];
    const text = '{"a":1}\n{"b":"é"}\n';
    async function* things() {
      yield* lines;
    }
    for (const file of [
      text,
      new Blob([text]),
      new TextEncoder().encode(text),
      lines,
      things(),
      new Blob([text]).stream(),
    ]) {
      stub.answer(report);
      const progress: number[] = [];
      await clew.datasets.import('d', file, {
        format: 'jsonl',
        onProgress: ({ sentBytes }) => progress.push(sentBytes),
      });
      expect(stub.seen[0]?.body).toBe(text);
      expect(stub.seen[0]?.headers['content-type']).toBe('application/x-ndjson');
      expect(stub.seen[0]?.url).toMatch(/imports\?format=jsonl$/);
      expect(progress.at(-1)).toBe(new TextEncoder().encode(text).length);
    }
  });

  it('of a file is made again under its key, that of a stream never', async () => {
    stub.answer(noAnswer, report);
    expect(await clew.datasets.import('d', 'a,b\n', { format: 'csv' })).toEqual(report.json);
    expect(new Set(stub.seen.map(({ headers, body }) => `${headers['idempotency-key']} ${body}`)).size).toBe(1);
    stub.answer(noAnswer, report);
    expect(await thrownBy(clew.datasets.import('d', [{ a: 1 }], { format: 'jsonl' }))).toBeInstanceOf(ConnectionError);
    expect(stub.seen).toHaveLength(1);
  });
});

describe('a stream', () => {
  const lines = { headers: { 'content-type': 'application/jsonl' }, text: '{"id":1}\n{"id":2}\n' };

  it('is decoded as it comes, or given as bytes', async () => {
    stub.answer(lines);
    expect(await gathered(clew.datasets.export('d'))).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await new Response(await clew.datasets.export('d').bytes()).text()).toBe(lines.text);
    stub.answer({ headers: { 'content-type': 'text/csv; charset=utf-8' }, text: 'a\n' });
    expect(String(await thrownBy(gathered(clew.datasets.export('d', { format: 'csv' }))))).toContain('bytes()');
  });

  it('that was cut is no end', async () => {
    stub.answer((response) => {
      response.writeHead(200, { 'content-type': 'application/jsonl' });
      response.write('{"id":1}\n', () => response.destroy());
    });
    expect(await thrownBy(gathered(clew.datasets.export('d')))).toBeInstanceOf(ConnectionError);
  });

  it('ends with its signal, also while nothing comes', async () => {
    const silent: StubAnswer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"type":"ready","id":null,"at":1}\n\n');
    };
    for (const open of [
      (signal: AbortSignal) => clew.events.listen({ signal }),
      (signal: AbortSignal) => clew.models.activity({ signal }),
    ]) {
      stub.answer(silent);
      const controller = new AbortController();
      const reading = (async () => {
        for await (const event of open(controller.signal))
          if (event !== undefined) controller.abort(new Error('enough'));
      })();
      expect(await thrownBy(reading)).toMatchObject({ message: 'enough' });
      expect(stub.seen).toHaveLength(1);
    }
  });

  it('of a trial is asked for in the body of the path that is tried', async () => {
    const body = { model: 'self/m', messages: [] };
    const trial = { path: '/v1/chat/completions', contentType: 'application/json', body } as const;
    stub.answer({ headers: { 'content-type': 'text/event-stream' }, text: 'data: {"a":1}\n\ndata: [DONE]\n\n' });
    expect(await gathered(clew.models.trial('m', 'q8', trial))).toEqual([{ a: 1 }]);
    expect(JSON.parse(stub.seen[0]?.body ?? '')).toEqual({ ...trial, body: { ...body, stream: true } });
  });

  it('of a model is asked for by iterating, the whole answer by awaiting', async () => {
    const body = { model: 'self/m', messages: [] };
    stub.answer({ headers: { 'content-type': 'text/event-stream' }, text: 'data: {"a":1}\n\ndata: [DONE]\n\n' });
    expect(await gathered(clew.inference.chatCompletions.create(body))).toEqual([{ a: 1 }]);
    expect(JSON.parse(stub.seen[0]?.body ?? '')).toEqual({ ...body, stream: true });
    expect(stub.seen[0]?.headers['x-clew-project']).toBe('prj_1');
    stub.answer({ json: { id: 'answer' } });
    expect(await clew.inference.chatCompletions.create(body)).toEqual({ id: 'answer' });
    expect(JSON.parse(stub.seen[0]?.body ?? '')).toEqual(body);
    stub.answer({
      headers: { 'content-type': 'text/event-stream' },
      text: 'data: {"error":{"message":"out of memory"}}\n\n',
    });
    expect(await thrownBy(gathered(clew.inference.chatCompletions.create(body)))).toMatchObject({
      message: 'out of memory',
    });
  });

  it('of changes is opened again when it ends, until its reader stops or may no longer listen', async () => {
    const ready = {
      headers: { 'content-type': 'text/event-stream' },
      text: 'data: {"type":"ready","id":null,"at":1}\n\n',
    };
    stub.answer(ready, { status: 503, headers: NOW, json: errorBody('OVERLOADED') }, ready, {
      status: 403,
      json: errorBody('FORBIDDEN'),
    });
    let count = 0;
    const listening = (async () => {
      for await (const event of clew.events.listen()) count += Number(event !== undefined);
    })();
    expect(await thrownBy(listening)).toBeInstanceOf(ForbiddenError);
    expect(count).toBe(2);
  });
});

describe('asked work', () => {
  it('is waited for until it has ended', async () => {
    stub.answer(...['running', 'completed'].map((state) => ({ json: { id: 'b', state } })));
    const states: string[] = [];
    const done = await clew.knowledge.backfills.wait('g', 'b', { onProgress: ({ state }) => states.push(state) });
    expect(done.state).toBe('completed');
    expect(states).toEqual(['running', 'completed']);
    stub.answer({ json: { id: 'b', state: 'running' } });
    expect(await thrownBy(clew.knowledge.backfills.wait('g', 'b', { timeoutMs: 10 }))).toBeInstanceOf(TimeoutError);
  });
});

describe('the settings of the OpenAI client', () => {
  it('lead to Clew, with the key and the project', () => {
    expect(clew.openai()).toEqual({
      baseURL: `${stub.url}/v1`,
      apiKey: KEY,
      defaultHeaders: { 'x-clew-project': 'prj_1' },
    });
  });
});
