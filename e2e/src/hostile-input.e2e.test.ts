import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeConversation, toOtlpJson } from '@clew/testing';
import type { ErrorBody } from '@clew/kernel';
import { callApi, type ApiRequest } from './support/api.ts';
import { cleanConversation } from './support/conversations.ts';
import { sendRaw } from './support/raw-http.ts';
import { runningStack } from './support/stack.ts';
import { createKey, createTestProject, type TestProject } from './support/test-project.ts';

const PROTOBUF = { 'content-type': 'application/x-protobuf' };
const JSON_TYPE = { 'content-type': 'application/json' };
const MIB = 1024 * 1024;

let project: TestProject;
let pids: Record<string, number>;

beforeAll(async () => {
  project = await createTestProject('hostile input');
  pids = processIds();
  const told = encodeConversation(cleanConversation('kept'), { dialect: 'genai', startMs: Date.now(), idSeed: 'kept' });
  await callApi(project.apiKey, '/v1/traces', { body: toOtlpJson(told) });
});

afterAll(async () => {
  // No data was lost and no process died.
  expect((await project.readyConversation('kept')).messages).toHaveLength(cleanConversation('kept').messages.length);
  expect(processIds()).toEqual(pids);
});

describe('bad bodies', () => {
  const cases: [string, number, string, ApiRequest][] = [
    ['malformed protobuf', 400, 'MALFORMED_BODY', { headers: PROTOBUF, body: Buffer.from('ffffff00ff', 'hex') }],
    ['random bytes as protobuf', 400, 'MALFORMED_BODY', { headers: PROTOBUF, body: Buffer.alloc(1_000, 0x7f) }],
    ['JSON that is none', 400, 'MALFORMED_BODY', { headers: JSON_TYPE, body: '{"resourceSpans": [' }],
    ['JSON of depth 1,000', 400, 'MALFORMED_BODY', { headers: JSON_TYPE, body: '['.repeat(1_000) + ']'.repeat(1_000) }],
    ['JSON that is no object', 400, 'MALFORMED_BODY', { headers: JSON_TYPE, body: '[]' }],
    ['JSON with lists of another type', 400, 'MALFORMED_BODY', { body: { resourceSpans: [1] } }],
    [
      'broken gzip',
      400,
      'MALFORMED_BODY',
      { headers: { ...PROTOBUF, 'content-encoding': 'gzip' }, body: Buffer.from('no gzip') },
    ],
    ['a gzip bomb', 413, 'PAYLOAD_TOO_LARGE', { headers: { ...PROTOBUF, 'content-encoding': 'gzip' }, body: bomb() }],
    ['a 100 MB body', 413, 'PAYLOAD_TOO_LARGE', { headers: PROTOBUF, body: Buffer.alloc(100_000_000) }],
    ['another media type', 415, 'UNSUPPORTED_MEDIA_TYPE', { headers: { 'content-type': 'text/plain' }, body: 'x' }],
    [
      'another encoding',
      415,
      'UNSUPPORTED_ENCODING',
      { headers: { ...PROTOBUF, 'content-encoding': 'br' }, body: 'x' },
    ],
  ];
  it.each(cases)('%s is %i %s in the common body', async (_name, status, code, request) => {
    const response = await callApi(project.apiKey, '/v1/traces', request);
    expectCommonBody(response, status, code);
  });

  it('a body over the JSON limit is 413 at a JSON route, declared or chunked', async () => {
    const body = { conversationId: 'x'.repeat(2 * MIB), lastActivityAt: 1 };
    expectCommonBody(await project.call<ErrorBody>('/diagnostics/analysis-runs', { body }), 413, 'PAYLOAD_TOO_LARGE');
  });

  it('spans that are not valid are counted in the partial success, and the others are kept', async () => {
    const good = {
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
      name: 'good',
      startTimeUnixNano: '1700000000000000000',
    };
    const spans = [good, { ...good, spanId: 'short' }, { ...good, spanId: '0'.repeat(16) }];
    const body = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
    const response = await callApi(project.apiKey, '/v1/traces', { body });
    expect(response).toMatchObject({ status: 200, body: { partialSuccess: { rejectedSpans: '2' } } });
  });
});

describe('bad credentials', () => {
  it.each([
    ['none', undefined],
    ['a word', 'Bearer secret'],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['a key with a wrong checksum', `Bearer clew_live_${'0'.repeat(36)}`],
  ])('%s is 401 in the common body', async (_name, authorization) => {
    const response = await fetch(`${runningStack().gatewayUrl}/v1/projects/${project.id}/conversations`, {
      headers: authorization === undefined ? {} : { authorization },
    });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expectCommonBody(await asResponse(response), 401, 'UNAUTHENTICATED');
  });

  it('a revoked key cannot send spans', async () => {
    const { apiKey, secret } = await createKey(project.id, { name: 'revoked' });
    await project.call(`/api-keys/${apiKey.id}`, { method: 'DELETE' });
    const response = await callApi(secret, '/v1/traces', { body: { resourceSpans: [] } });
    expectCommonBody(response, 401, 'UNAUTHENTICATED');
  });
});

describe('bad paths and headers', () => {
  it.each([
    ['..%2f..%2fadmin', 400],
    ['%2e%2e', 400],
    ['..', 404],
    ['%00', 400],
    ['%zz', 400],
    ['a%0d%0ax-injected:%201', 404],
    ["'; drop table", 404],
    ['{"$gt":""}', 404],
    ['x'.repeat(4_000), 404],
  ])('the conversation id %s is a clear refusal', async (id, status) => {
    const answer = await sendRaw(
      [
        `GET /v1/projects/${project.id}/conversations/${id} HTTP/1.1`,
        'host: gateway',
        `authorization: Bearer ${project.apiKey}`,
        'connection: close',
        '\r\n',
      ].join('\r\n'),
    );
    const refused = Number(answer.split(' ')[1]);
    expect([status, 400, 404]).toContain(refused);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({ requestId: expect.any(String) });
    expect(answer.toLowerCase()).not.toContain('\r\nx-injected');
  });

  it.each([
    ['a header with a bare line feed', 'x-a: 1\nx-b: 2\r\nx-c : 3'],
    ['two lengths', 'content-length: 5\r\ncontent-length: 6'],
    ['a length and chunks', 'content-length: 5\r\ntransfer-encoding: chunked'],
    ['a header that is too large', `x-large: ${'x'.repeat(70_000)}`],
  ])('%s is a 4xx in the common body', async (_name, header) => {
    const answer = await sendRaw(
      `POST /v1/traces HTTP/1.1\r\nhost: gateway\r\n${header}\r\nconnection: close\r\n\r\nhello`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({
      error: expect.any(String),
      requestId: expect.any(String),
    });
  });

  it('an identity that a caller sends is not believed', async () => {
    const response = await fetch(`${runningStack().gatewayUrl}/v1/projects/${project.id}/conversations`, {
      headers: { 'x-clew-identity': 'eyJhbGciOiJub25lIn0.e30.' },
    });
    expect(response.status).toBe(401);
  });

  it('internal routes do not exist at the gateway', async () => {
    const path = `/internal/v1/projects/${project.id}/snapshots/cesr_${'0'.repeat(26)}`;
    expectCommonBody(await callApi(project.apiKey, path), 404, 'NOT_FOUND');
  });
});

function bomb(): Buffer {
  return gzipSync(Buffer.alloc(300 * MIB), { level: 9 });
}

function processIds(): Record<string, number> {
  return Object.fromEntries(Object.entries(runningStack().services).map(([name, { pid }]) => [name, pid]));
}

async function asResponse(response: Response) {
  return { status: response.status, headers: response.headers, body: (await response.json()) as ErrorBody };
}

function expectCommonBody(
  response: { status: number; headers: Headers; body: ErrorBody },
  status: number,
  code: string,
): void {
  const { body } = response;
  expect({ status: response.status, code: body.code }).toEqual({ status, code });
  expect(body).toMatchObject({ error: expect.any(String), message: expect.any(String) });
  expect(response.headers.get('x-service-request-id')).toBe(body.requestId);
}
