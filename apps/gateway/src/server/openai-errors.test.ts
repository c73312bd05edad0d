import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { startFront, type Front, type FrontOptions } from '../test-support/front.ts';
import { OTHER_PROJECT, PROJECT } from '../test-support/keys.ts';
import { sendRaw } from '../test-support/raw-http.ts';
import { closedPort, startUpstream } from '../test-support/upstream.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(options: FrontOptions = {}, listener?: RequestListener): Promise<Front> {
  const upstream = await startUpstream(listener);
  const front = await startFront({ upstreamUrl: upstream.url, ...options });
  closing.push(upstream.close, front.stop);
  return front;
}

async function send(front: Front, path: string, headers: Record<string, string> = {}, body?: string) {
  const isRead = body === undefined && path === '/v1/models';
  const response = await fetch(`${front.url}${path}`, {
    method: isRead ? 'GET' : 'POST',
    headers: { authorization: front.key.authorization, ...headers },
    ...(isRead ? {} : { body: body ?? '{}' }),
  });
  const answer = { status: response.status, headers: response.headers, body: (await response.json()) as unknown };
  // Clients of the OpenAI API look in this header for the id to give to support.
  expect(answer.headers.get('x-service-request-id')).toMatch(/^req_/);
  return answer;
}

const INFERENCE = [
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/audio/transcriptions',
  '/v1/models',
] as const;

/** Error body exactly as the OpenAI API has it, so that its clients can read it. */
function openAiError(type: string, code: string) {
  return { error: { message: expect.any(String), type, param: null, code } };
}

describe.each(INFERENCE)(
  'what the gateway itself refuses of %s has the body that clients of the OpenAI API read',
  (path) => {
    it('an unknown key, and none: 401', async () => {
      const front = await start();
      for (const authorization of ['Bearer clew_test_wrong', '']) {
        const answer = await send(front, path, { authorization });
        expect(answer).toMatchObject({ status: 401 });
        expect(answer.body).toEqual(openAiError('authentication_error', 'unauthenticated'));
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      }
    });

    it('a project that the key does not open: 404', async () => {
      const front = await start();
      const answer = await send(front, path, { 'x-clew-project': OTHER_PROJECT });
      expect(answer).toMatchObject({ status: 404, body: openAiError('invalid_request_error', 'not_found') });
    });

    it('too large a body: 413', async () => {
      const limits = { json: 1_000, inference: 1_000, audio: 1_000 };
      const answer = await send(await start({ maxBodyBytes: limits }), path, {}, 'x'.repeat(1_001));
      expect(answer).toMatchObject({ status: 413, body: openAiError('invalid_request_error', 'payload_too_large') });
    });

    it('too many requests: 429, with the time to wait', async () => {
      const front = await start({ requestsPerWindow: 1 });
      await fetch(`${front.url}${path}`, { headers: { authorization: front.key.authorization } });
      const answer = await send(front, path);
      expect(answer).toMatchObject({ status: 429, body: openAiError('rate_limit_error', 'rate_limited') });
      expect(answer.headers.get('retry-after')).toBe('1');
    });

    it('what cannot be passed on, since the service is away: 503', async () => {
      const front = await start({ upstreamUrl: `http://127.0.0.1:${await closedPort()}` });
      const answer = await send(front, path);
      expect(answer).toMatchObject({ status: 503, body: openAiError('server_error', 'upstream_unavailable') });
    });
  },
);

describe('every other route', () => {
  it.each(['/v1/traces', `/v1/projects/${PROJECT}/models/providers`, '/v1/projects', '/v1/chat/completions/x'])(
    'has the common body: %s',
    async (path) => {
      const answer = await send(await start(), path, { authorization: 'Bearer clew_test_wrong' });
      const code = 'UNAUTHENTICATED';
      expect(answer).toMatchObject({
        status: 401,
        body: { error: 'Unauthorized', code, requestId: expect.any(String) },
      });
    },
  );
});

it('a body that comes too slowly is told so in the same form', async () => {
  const front = await start({ bodyTimeoutMs: 300 }, (request) => void request.resume());
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: ${front.key.authorization}\r\n`;
  const { status, body } = await sendRaw(front.port, `${head}content-length: 10\r\n\r\n{`);
  expect(status).toBe(408);
  expect(JSON.parse(body)).toEqual(openAiError('invalid_request_error', 'request_timeout'));
});
