import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { eventually } from '@clew/testing';
import type { EndpointOptions } from './endpoint.ts';
import { callDeadlineMs } from './deadline.ts';
import { createInferenceClient, type JsonOptions } from './inference-client.ts';
import { InferenceError, type InferenceErrorCode } from './inference-error.ts';

type Respond = (response: ServerResponse) => void;

/** Answers of a scripted endpoint, for the guarantees that a worker relies on. */
let respond: Respond[] = [];
const seen: { headers: IncomingHttpHeaders; body: Record<string, unknown>; response: ServerResponse }[] = [];
let onRequest: () => void = () => undefined;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    seen.push({ headers: request.headers, body, response });
    onRequest();
    (respond.shift() ?? says('{"supported":true}'))(response);
  });
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  respond = [];
  seen.length = 0;
  onRequest = () => undefined;
});

function says(text: string, finishReason = 'stop'): Respond {
  const choices = [{ message: { content: text }, finish_reason: finishReason }];
  return (response) => void response.end(JSON.stringify({ model: 'm', choices, usage: { total_tokens: 5 } }));
}

function refuses(status: number, code: string, headers: Record<string, string> = {}): Respond {
  return (response) =>
    void response.writeHead(status, headers).end(JSON.stringify({ error: { code, message: 'it says' } }));
}

const silent: Respond = () => undefined;

function client(options: Partial<EndpointOptions> = {}) {
  return createInferenceClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ serviceName: 'jobs-worker', sign: () => 'token', retryDelayMs: 1 },
    ...options,
  });
}

const Verdict = z.strictObject({ supported: z.boolean(), pattern: z.string().max(5).nullish() });
const ASK: JsonOptions<typeof Verdict> = {
  ...{ projectId: 'prj_1', model: 'loop/wise' },
  messages: [{ role: 'user', content: 'Is it?' }],
  schema: Verdict,
};

async function errorOf(work: Promise<unknown>): Promise<InferenceError> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof InferenceError)) throw new Error(`It was no InferenceError: ${String(error)}`);
  return error;
}

describe('JSON is asked for', () => {
  it('by its schema, without bounds and optional members, where the model keeps to schemas; the prompt does not repeat it', async () => {
    await client().json({ ...ASK, capabilities: { jsonMode: true, jsonSchema: true } });
    expect(seen[0]?.body['response_format']).toEqual({
      type: 'json_schema',
      json_schema: {
        ...{ name: 'answer', strict: true },
        schema: {
          type: 'object',
          properties: { supported: { type: 'boolean' }, pattern: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
          ...{ required: ['supported', 'pattern'], additionalProperties: false },
        },
      },
    });
    expect(seen[0]?.body['messages']).toEqual(ASK.messages);
  });

  it('by the prompt alone where the model has no JSON mode', async () => {
    await client().json({ ...ASK, capabilities: { jsonMode: false, jsonSchema: false } });
    expect(seen[0]?.body).not.toHaveProperty('response_format');
    expect(JSON.stringify(seen[0]?.body['messages'])).toContain('supported');
  });

  it('in the plain JSON mode, under a key of its own, where the provider refuses the schema', async () => {
    respond = [refuses(400, 'invalid_schema')];
    const capabilities = { jsonMode: true, jsonSchema: true };
    await client().json({ ...ASK, capabilities, idempotencyKey: 'work-1' });
    expect(seen.map(({ body }) => (body['response_format'] as { type: string }).type)).toEqual([
      'json_schema',
      'json_object',
    ]);
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['work-1', 'work-1:object']);
  });

  it('again, and shorter, where it was cut off at its limit', async () => {
    respond = [says('{"supported":', 'length')];
    await client().json(ASK);
    expect(JSON.stringify(seen[1]?.body['messages'])).toContain('answer more briefly');
  });
});

describe('a call has an end', () => {
  it('at its deadline, whatever is repeated; and sends heartbeats until then', async () => {
    let heartbeats = 0;
    respond = Array.from({ length: 10 }, () => silent);
    const limits = { deadlineMs: 400, timeoutMs: 100, heartbeatIntervalMs: 10, maxAttempts: 100 };
    const error = await errorOf(client(limits).chat({ ...ASK, heartbeat: () => (heartbeats += 1) }));
    expect({ code: error.code, remedy: error.remedy }).toEqual({ code: 'UNAVAILABLE', remedy: 'later' });
    expect(heartbeats).toBeGreaterThan(5);
  });

  it('below the age at which its process is taken for stuck', () => {
    expect(callDeadlineMs(300_000)).toBeLessThan(300_000);
    expect(callDeadlineMs(1_000)).toBeLessThan(1_000);
  });

  it('at once when its job is told to stop, and the connection goes with it', async () => {
    const stopping = new AbortController();
    respond = [silent];
    onRequest = () => stopping.abort(new Error('stopping'));
    await expect(client().chat({ ...ASK, signal: stopping.signal })).rejects.toThrow('stopping');
    await new Promise<void>((resolve) => {
      if (seen[0]!.response.closed) resolve();
      else seen[0]!.response.on('close', () => resolve());
    });
  });

  it('where the answer is longer than anybody asked for', async () => {
    respond = [(response) => void response.end(`{"choices": "${'x'.repeat(5_000)}"}`)];
    const error = await errorOf(client({ maxAnswerBytes: 1_000 }).chat(ASK));
    expect({ code: error.code, remedy: error.remedy }).toEqual({ code: 'INVALID_ANSWER', remedy: 'never' });
  });
});

describe('a provider that has had enough', () => {
  it('is left alone by all calls for as long as it asked, and told to whoever cannot wait so long', async () => {
    const shared = client();
    respond = [refuses(429, 'rate_limit', { 'retry-after': '3600' })];
    const told = await errorOf(shared.chat(ASK));
    expect(told).toMatchObject({ code: 'UNAVAILABLE', retryAfterMs: 3_600_000 });
    expect((await errorOf(shared.chat(ASK))).retryAfterMs).toBeGreaterThan(3_590_000);
    expect(seen).toHaveLength(1);
    await shared.chat({ ...ASK, model: 'other/wise' });
    await shared.chat({ ...ASK, projectId: 'prj_2' });
    expect(seen).toHaveLength(3);
  });

  it('gets the call again after the time that it asked for', async () => {
    respond = [refuses(429, 'rate_limit', { 'retry-after': '0.2' })];
    const startedAtMs = performance.now();
    expect((await client().chat(ASK)).usage.calls).toBe(1);
    expect(performance.now() - startedAtMs).toBeGreaterThan(190);
    expect(seen).toHaveLength(2);
  });

  it('has no more calls in hand than it may', async () => {
    const held: ServerResponse[] = [];
    const isProbe = () => seen.at(-1)?.body.model === 'other/wise';
    respond = Array.from({ length: 40 }, (): Respond => (response) => {
      if (isProbe()) says('{"supported":true}')(response);
      else held.push(response);
    });
    const shared = client({ maxConcurrentPerProvider: 3 });
    const calls = Promise.all(Array.from({ length: 12 }, () => shared.chat(ASK)));
    for (let left = 12; left > 0; left -= 1) {
      await eventually(() => expect(held.length).toBeGreaterThanOrEqual(Math.min(3, left)));
      // By the time this call is answered, all earlier requests have arrived.
      await client().chat({ ...ASK, model: 'other/wise' });
      expect(held).toHaveLength(Math.min(3, left));
      says('{"supported":true}')(held.shift()!);
    }
    await calls;
  });

  it('gets no more calls a minute than it may', async () => {
    const shared = client({ maxCallsPerMinutePerProvider: 600 });
    const startedAtMs = performance.now();
    await Promise.all([shared.chat(ASK), shared.chat(ASK), shared.chat(ASK)]);
    expect(performance.now() - startedAtMs).toBeGreaterThan(190);
  });
});

it.each<[InferenceErrorCode, string]>([
  ['UNAVAILABLE', 'later'],
  ['BUDGET_EXHAUSTED', 'budget'],
  ['MODEL_UNAVAILABLE', 'never'],
  ['INVALID_ANSWER', 'never'],
  ['REFUSED', 'never'],
  ['JOB_BUDGET_EXHAUSTED', 'never'],
])('%s says to its job: %s', (code, remedy) => {
  expect(new InferenceError(code, 'it says').remedy).toBe(remedy);
});
