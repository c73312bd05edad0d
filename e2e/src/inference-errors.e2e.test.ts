import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startBeside, type ProcessBeside } from '@clew/stack';
import OpenAI, { APIError } from 'openai';
import { callApi } from './support/api.ts';
import { sendRaw } from './support/raw-http.ts';
import { runningStack, stackHome } from './support/stack.ts';
import { createKey, createTestProject, type TestProject } from './support/test-project.ts';

const AUDIO_LIMIT_BYTES = 512 * 1024 * 1024;
const INFERENCE = [
  ['POST', '/v1/chat/completions'],
  ['POST', '/v1/completions'],
  ['POST', '/v1/embeddings'],
  ['POST', '/v1/audio/transcriptions'],
  ['GET', '/v1/models'],
] as const;
const REQUESTS_PER_WINDOW = 10;

let project: TestProject;
/** Gateway that allows a key ten requests in ten seconds. */
let strictGateway: ProcessBeside;

beforeAll(async () => {
  project = await createTestProject('inference errors');
  const limits = { RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_WINDOW_SECONDS: String(REQUESTS_PER_WINDOW) };
  strictGateway = await startBeside(stackHome(), 'gateway', limits);
});

afterAll(() => strictGateway.stop());

/** Exact body of an error of the OpenAI API. */
const openAiError = (type: string, code: string) => ({
  error: { message: expect.any(String), type, param: null, code },
});

const bodyFor = (method: string) => (method === 'GET' ? {} : { body: {} });

describe.each(INFERENCE)('%s %s', (method, path) => {
  it('without a key, or with a wrong one, is 401 in the form of the OpenAI API', async () => {
    for (const headers of [{}, { authorization: '' }]) {
      const answer = await callApi('clew_test_nobody', path, { method, ...bodyFor(method), headers });
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual(openAiError('authentication_error', 'unauthenticated'));
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.headers.get('x-service-request-id')).toMatch(/^req_/);
    }
  });

  it('without the scope gateway:invoke is 403 in the same form, naming the scope', async () => {
    const { secret } = await createKey(project.id, { name: 'reader', scopes: ['workspace:read', 'models:manage'] });
    const answer = await callApi<{ error: { message: string } }>(secret, path, { method, ...bodyFor(method) });
    expect(answer.status).toBe(403);
    const { error } = openAiError('permission_error', 'forbidden');
    expect(answer.body).toEqual({ error: { ...error, details: [{ path: 'scope', message: 'gateway:invoke' }] } });
    expect(answer.body.error.message).toContain('gateway:invoke');
  });

  it('with too large a body is 413 in the same form', async () => {
    const head = [
      `${method} ${path} HTTP/1.1`,
      'host: clew',
      `authorization: Bearer ${project.apiKey}`,
      'content-type: application/json',
      `content-length: ${AUDIO_LIMIT_BYTES + 1}`,
      'connection: close',
    ];
    const answer = await sendRaw(`${head.join('\r\n')}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    const body: unknown = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
    expect(body).toEqual(openAiError('invalid_request_error', 'payload_too_large'));
  });

  it('of a key that calls too often is 429 in the same form, with the time to wait', async () => {
    const { secret } = await createKey(project.id, { name: 'hasty' });
    const url = new URL(path, strictGateway.url);
    const ask = () =>
      fetch(url, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', 'x-clew-project': 'x' },
        ...(method === 'GET' ? {} : { body: '{}' }),
      });
    // Cheap requests, which the gateway refuses, use up the window.
    let answer = await ask();
    for (let asked = 1; answer.status === 404 && asked <= 3 * REQUESTS_PER_WINDOW; asked += 1) answer = await ask();
    expect(answer.status).toBe(429);
    expect(await answer.json()).toEqual(openAiError('rate_limit_error', 'rate_limited'));
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.headers.get('ratelimit-remaining')).toBe('0');
  });
});

describe('a call', () => {
  it.each(['/v1/chat/completions', '/v1/completions', '/v1/embeddings'])('without a model is 400: %s', async (path) => {
    const answer = await callApi(project.apiKey, path, {
      body: { messages: [{ role: 'user' }], input: 'a', prompt: 'a' },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { type: 'invalid_request_error', param: 'model', code: 'validation_failed' } },
    });
  });

  it('of a model that is not in the form <provider>/<model_name> is 400, of an unknown provider 404', async () => {
    const chat = (model: string) =>
      callApi(project.apiKey, '/v1/chat/completions', { body: { model, messages: [{ role: 'user', content: 'a' }] } });
    expect(await chat('tiny')).toMatchObject({ status: 400, body: { error: { param: 'model' } } });
    expect(await chat('nobody/tiny')).toMatchObject({
      status: 404,
      body: openAiError('invalid_request_error', 'model_not_found'),
    });
    expect(await chat('self/tiny')).toMatchObject({ status: 409, body: { error: { code: 'service_not_running' } } });
    expect(await chat('service/auto')).toMatchObject({ status: 409, body: { error: { code: 'model_unavailable' } } });
  });
});

describe('the official OpenAI client', () => {
  it('reads what the gateway refuses as it reads errors of the OpenAI API', async () => {
    const client = new OpenAI({
      ...{ apiKey: 'clew_test_nobody', maxRetries: 0 },
      baseURL: new URL('/v1', runningStack().gatewayUrl).href,
    });
    const failure = await client.models.list().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(APIError);
    expect(failure).toMatchObject({ status: 401, code: 'unauthenticated', type: 'authentication_error' });
  });
});

describe('every other route', () => {
  it('has the common body for the same refusals', async () => {
    const path = `/v1/projects/${project.id}/models/providers`;
    const common = (code: string) => ({ error: expect.any(String), message: expect.any(String), code });
    expect(await callApi('clew_test_nobody', path)).toMatchObject({ status: 401, body: common('UNAUTHENTICATED') });
    const { secret } = await createKey(project.id, { name: 'invoker', scopes: ['gateway:invoke'] });
    expect(await callApi(secret, path)).toMatchObject({ status: 403, body: common('FORBIDDEN') });
    const body = 'x'.repeat(1024 * 1024 + 1);
    const headers = { 'content-type': 'application/json' };
    expect(await callApi(project.apiKey, path, { method: 'POST', body, headers })).toMatchObject({
      status: 413,
      body: common('PAYLOAD_TOO_LARGE'),
    });
  });
});
