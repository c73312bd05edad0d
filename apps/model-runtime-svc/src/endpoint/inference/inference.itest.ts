import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AUTO_MODEL } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { eventually, useTestEnvironment } from '@clew/testing';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { keyWith } from '@clew/testing/identities';
import { startTestService, type Call, type TestService } from '../../test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;
let provider: ScriptedProvider;
let projectId: string;

beforeAll(async () => {
  service = await startTestService(environment, { env: { PROVIDER_SILENCE_MS: '1500' } });
  provider = await startProvider({ apiKey: 'sk-secret' });
});

afterAll(async () => {
  await service.stop();
  await provider.stop();
});

beforeEach(async () => {
  projectId = newId('prj');
  provider.requests.length = 0;
  const body = { name: 'loop', baseUrl: provider.url, apiKey: 'sk-secret' };
  await service.call({ projectId, path: `/v1/projects/${projectId}/models/providers`, body });
});

const MESSAGES = [{ role: 'user', content: 'Hello there' }];

function chat(body: object, more: Partial<Call> = {}) {
  return {
    projectId,
    path: '/v1/chat/completions',
    body: { model: 'loop/tiny-chat', messages: MESSAGES, ...body },
    ...more,
  };
}

function openAiError(code: string) {
  return { error: { message: expect.any(String), type: expect.any(String), param: null, code } };
}

describe('a chat', () => {
  it('goes to the provider under its own name for the model, with its key, and comes back as it answered', async () => {
    const answer = await service.call(chat({}));
    expect(answer).toMatchObject({
      status: 200,
      body: { object: 'chat.completion', choices: [{ message: { content: 'You said: Hello there' } }] },
    });
    expect(provider.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-secret' },
      body: { model: 'tiny-chat', messages: MESSAGES },
    });
    expect(Object.keys(provider.requests[0]?.headers ?? {}).filter((name) => name.startsWith('x-clew'))).toEqual([]);
  });

  it('keeps every member that is not known here, byte for byte', async () => {
    const body = `{"model":"loop/tiny-chat","messages":[{"role":"user","content":"é","x":1.0}],"seed":12345678901234567890,"new_member":{"a":[1e400]}}`;
    await service.call({ ...chat({}), body, headers: { 'content-type': 'application/json' } });
    expect(provider.requests[0]?.bytes.toString()).toBe(body.replace('loop/', ''));
  });

  it('streams, the usage asked for but shown only to who asked', async () => {
    const hidden = await service.call(chat({ stream: true }));
    expect(hidden.headers.get('content-type')).toContain('text/event-stream');
    expect(hidden.text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(hidden.text).not.toContain('"usage":{');
    expect(provider.requests[0]?.body).toMatchObject({ stream_options: { include_usage: true } });
    const shown = await service.call(chat({ stream: true, stream_options: { include_usage: true } }));
    expect(shown.text).toContain('"usage":{');
    const said = shown.text
      .match(/"content":"[^"]*"/g)
      ?.map((part) => part.slice(11, -1))
      .join('');
    expect(said).toBe('You said: Hello there');
  });

  it('passes the first words on before the last are there', async () => {
    provider.script({ text: 'one two three four', chunkDelayMs: 500 });
    const response = await service.send(chat({ stream: true }));
    const reader = response.body!.getReader();
    const startedMs = performance.now();
    await reader.read();
    const firstMs = performance.now() - startedMs;
    while (!(await reader.read()).done);
    expect(performance.now() - startedMs).toBeGreaterThan(firstMs + 300);
  });

  it('is cancelled at the provider when the caller goes away', async () => {
    provider.script({ text: 'a long answer that nobody waits for', chunkDelayMs: 100 });
    const leaving = new AbortController();
    const response = await service.send(chat({ stream: true }, { signal: leaving.signal }));
    await response.body!.getReader().read();
    leaving.abort();
    await eventually(() => expect(provider.requests[0]?.aborted).toBe(true));
  });

  it('is tried again on 429 and 5xx before anything was answered', async () => {
    provider.script({ status: 429, headers: { 'retry-after': '0' } }, { status: 503, headers: { 'retry-after': '0' } });
    expect((await service.call(chat({}))).status).toBe(200);
    expect(provider.requests).toHaveLength(3);
  });

  it('is not tried again for what another try would not mend', async () => {
    provider.script({ status: 400 });
    expect(await service.call(chat({}))).toMatchObject({ status: 400, body: openAiError('loopback_400') });
    expect(provider.requests).toHaveLength(1);
  });

  it.each([
    [{ status: 401 }, 403, 'provider_credentials_refused'],
    [{ status: 404 }, 404, 'loopback_404'],
    [{ status: 422 }, 400, 'loopback_422'],
    [{ status: 429, headers: { 'retry-after': '60' } }, 429, 'loopback_429'],
    [{ status: 307, rawBody: '', headers: { location: 'http://127.0.0.1:9/' } }, 502, 'provider_failed'],
    [{ rawBody: '<html>' }, 502, 'provider_failed'],
    [{ text: 'cut', cutAfter: 10 }, 503, 'provider_unavailable'],
    [{ silent: true }, 504, 'provider_timeout'],
  ])('of a provider that does %j is answered %i %s', async (script, status, code) => {
    provider.script(script);
    const answer = await service.call(chat({}));
    expect(answer).toMatchObject({ status, body: openAiError(code) });
    expect(answer.text).not.toContain('sk-');
    if (status === 429) expect(answer.headers.get('retry-after')).toBe('60');
  });

  it('whose stream breaks off ends with an error that clients read', async () => {
    provider.script({ text: 'one two three', cutAfter: 2 });
    const { text, status } = await service.call(chat({ stream: true }));
    expect(status).toBe(200);
    const last = text.trimEnd().split('\n\n').at(-1) ?? '';
    expect(JSON.parse(last.replace('data: ', ''))).toMatchObject(openAiError('provider_unavailable'));
    expect(text).not.toContain('[DONE]');
  });

  it('with a provider that cannot be reached is 503', async () => {
    const path = `/v1/projects/${projectId}/models/providers`;
    await service.call({ projectId, path, body: { name: 'away', baseUrl: 'http://127.0.0.1:9/v1' } });
    const answer = await service.call(chat({ model: 'away/tiny' }));
    expect(answer).toMatchObject({ status: 503, body: openAiError('provider_unavailable') });
  });

  it.each([
    ['no model', { model: undefined }, 'model'],
    ['a model without a provider', { model: 'tiny' }, 'model'],
    ['no messages', { messages: [] }, 'messages'],
    ['messages that are none', { messages: ['hello'] }, 'messages.0'],
  ])('with %s is 400 and names the member', async (_what, body, param) => {
    const answer = await service.call(chat(body));
    expect(answer).toMatchObject({ status: 400, body: { error: { param, type: 'invalid_request_error' } } });
    expect(provider.requests).toHaveLength(0);
  });

  it.each([
    ['an unknown provider', 'nobody/model', 404, 'model_not_found'],
    ['a local model that does not run', 'self/model', 409, 'service_not_running'],
    ['a service that there is not', 'service/other', 404, 'model_not_found'],
  ])('with %s has its code', async (_what, model, status, code) => {
    expect(await service.call(chat({ model }))).toMatchObject({ status, body: openAiError(code) });
  });

  it('without a model for service/auto is 409', async () => {
    const emptyProject = newId('prj');
    const answer = await service.call({ ...chat({ model: AUTO_MODEL }), projectId: emptyProject });
    expect(answer).toMatchObject({ status: 409, body: openAiError('model_unavailable') });
  });

  it('needs the scope gateway:invoke, and says so in the form of the OpenAI API', async () => {
    const principal = keyWith('workspace:read');
    expect(await service.call(chat({}, { principal }))).toMatchObject({ status: 403, body: openAiError('forbidden') });
    expect(await service.call(chat({}, { principal: null }))).toMatchObject({
      status: 401,
      body: { error: { type: 'authentication_error' } },
    });
    expect(await service.call({ projectId, path: '/v1/chat/completions' })).toMatchObject({
      status: 405,
      body: openAiError('method_not_allowed'),
    });
  });

  it.each([
    ['text/plain', 'hello', 415],
    ['application/json', '{"model":', 400],
    ['application/json', '[]', 400],
    ['application/json', `{"model":"a/b","messages":${'['.repeat(100)}${']'.repeat(100)}}`, 400],
  ])('with a body of %s that is %s is refused', async (contentType, body, status) => {
    const answer = await service.call({ ...chat({}), body, headers: { 'content-type': contentType } });
    expect(answer).toMatchObject({ status, body: { error: { type: 'invalid_request_error' } } });
  });
});

describe('the other operations', () => {
  it('complete texts and embed them', async () => {
    const completion = { model: 'loop/tiny-chat', prompt: 'Once' };
    const completed = await service.call({ projectId, path: '/v1/completions', body: completion });
    expect(completed.body).toMatchObject({ choices: [{ text: 'Once and so on' }] });
    const embedding = { model: 'loop/tiny-embedding', input: ['a', 'b'] };
    const embedded = await service.call({ projectId, path: '/v1/embeddings', body: embedding });
    expect(embedded.body).toMatchObject({ data: [{ index: 0 }, { index: 1 }] });
  });

  it('list the models of providers, and service/auto', async () => {
    const { body } = await service.call<{ data: { id: string }[] }>({ projectId, path: '/v1/models' });
    const ids = body.data.map(({ id }) => id);
    expect(ids).toEqual([AUTO_MODEL, 'loop/tiny-chat', 'loop/tiny-embedding', 'loop/tiny-whisper']);
  });

  it('transcribe a recording, which arrives whole, whether the model stands before or behind it', async () => {
    const bytes = new Uint8Array(3_000_000).map((_, index) => index % 251);
    for (const modelFirst of [true, false]) {
      const form = new FormData();
      if (modelFirst) form.append('model', 'loop/tiny-whisper');
      form.append('file', new Blob([bytes], { type: 'audio/wav' }), 'speech.wav');
      if (!modelFirst) form.append('model', 'loop/tiny-whisper');
      form.append('timestamp_granularities[]', 'word');
      const { status, body } = await service.call({ projectId, path: '/v1/audio/transcriptions', body: form });
      expect(status).toBe(200);
      expect(body).toMatchObject({ model: 'tiny-whisper', text: expect.stringMatching(/^speech\.wav 3000000 /) });
      expect(provider.requests.at(-1)?.bytes.toString('latin1')).toContain('timestamp_granularities[]');
    }
  });

  it('refuse a form without a recording or a model, and what is no form', async () => {
    const withoutFile = new FormData();
    withoutFile.append('model', 'loop/tiny-whisper');
    const withoutModel = new FormData();
    withoutModel.append('file', new Blob(['x']), 'a.wav');
    const path = '/v1/audio/transcriptions';
    const file = await service.call({ projectId, path, body: withoutFile });
    expect(file).toMatchObject({ status: 400, body: { error: { param: 'file' } } });
    const model = await service.call({ projectId, path, body: withoutModel });
    expect(model).toMatchObject({ status: 400, body: { error: { param: 'model' } } });
    expect(await service.call({ projectId, path, body: {} })).toMatchObject({ status: 415 });
    const headers = { 'content-type': 'multipart/form-data' };
    expect(await service.call({ projectId, path, body: 'x', headers })).toMatchObject({ status: 400 });
  });
});
