import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createInferenceClient, type JsonOptions } from './inference-client.ts';
import { InferenceError } from './inference-error.ts';
import { createTokenBudget } from './token-budget.ts';

interface Scripted {
  status?: number;
  text?: string;
  error?: { code: string; message: string };
  headers?: Record<string, string>;
  body?: unknown;
}

/** Answers of a stand-in for the endpoint of model-runtime-svc, which has tests of its own. */
let script: Scripted[] = [];
const seen: { path: string | undefined; body: { messages: { role: string; content: string }[] } }[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    seen.push({ path: request.url, body: JSON.parse(Buffer.concat(chunks).toString()) });
    const { status = 200, text, error, headers, body } = script.shift() ?? { text: '{}' };
    const message = {
      choices: [{ message: { content: text }, finish_reason: 'stop' }],
      model: 'm',
      usage: { total_tokens: 10 },
    };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body ?? (error === undefined ? message : { error })));
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

beforeEach(() => {
  script = [];
  seen.length = 0;
});

function client() {
  return createInferenceClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serviceName: 'jobs-worker',
    sign: () => 'token',
    retryDelayMs: 1,
  });
}

const Verdict = z.strictObject({ supported: z.boolean() });
const ASK: JsonOptions<typeof Verdict> = {
  projectId: 'prj_1',
  model: 'loop/wise',
  messages: [{ role: 'user', content: 'Is it?' }],
  schema: Verdict,
};

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  return error instanceof InferenceError ? error.code : String(error);
}

describe('an answer in JSON', () => {
  it('is parsed and checked by its schema, which the model is shown', async () => {
    script = [{ text: '{"supported":true}' }];
    const usage = { calls: 1, promptTokens: 0, completionTokens: 0, totalTokens: 10 };
    expect(await client().json(ASK)).toEqual({ value: { supported: true }, model: 'm', usage });
    expect(seen[0]?.path).toBe('/internal/v1/projects/prj_1/chat/completions');
    expect(seen[0]?.body.messages[0]?.content).toContain('"supported"');
    expect(seen[0]?.body).toMatchObject({ response_format: { type: 'json_object' } });
  });

  it('is taken out of a block of Markdown', async () => {
    script = [{ text: '```json\n{"supported":false}\n```' }];
    expect((await client().json(ASK)).value).toEqual({ supported: false });
  });

  it.each([
    ['is no JSON', 'Yes, it is', 'not valid JSON'],
    ['does not fit', '{"supported":"yes"}', 'supported: '],
  ])('that %s is repaired once, by being told what is wrong', async (_what, text, problem) => {
    script = [{ text }, { text: '{"supported":true}' }];
    expect(await client().json(ASK)).toMatchObject({
      value: { supported: true },
      usage: { calls: 2, totalTokens: 20 },
    });
    expect(seen[1]?.body.messages.at(-2)).toEqual({ role: 'assistant', content: text });
    expect(seen[1]?.body.messages.at(-1)?.content).toContain(problem);
  });

  it('that is wrong twice is an error, and not asked for again', async () => {
    script = [{ text: 'no' }, { text: 'no' }];
    expect(await codeOf(client().json(ASK))).toBe('INVALID_ANSWER');
    expect(seen).toHaveLength(2);
  });
});

describe('a call', () => {
  it.each([
    [409, 'model_unavailable', 'MODEL_UNAVAILABLE'],
    [404, 'model_not_found', 'MODEL_UNAVAILABLE'],
    [403, 'provider_credentials_refused', 'MODEL_UNAVAILABLE'],
    [429, 'token_budget_exhausted', 'BUDGET_EXHAUSTED'],
    [400, 'context_length_exceeded', 'REFUSED'],
  ])('that is answered %i %s fails with %s at once', async (status, code, expected) => {
    script = [{ status, error: { code, message: 'it says' } }];
    expect(await codeOf(client().chat(ASK))).toBe(expected);
    expect(seen).toHaveLength(1);
  });

  it('is made again where it may work later, so many times', async () => {
    const away = { status: 503, error: { code: 'provider_unavailable', message: 'away' } };
    script = [away, away, { text: 'here' }];
    expect((await client().chat(ASK)).text).toBe('here');
    script = [away, away, away];
    expect(await codeOf(client().chat(ASK))).toBe('UNAVAILABLE');
  });

  it('is not made once the budget of its job is used up', async () => {
    const budget = createTokenBudget(15);
    script = [{ text: 'a' }, { text: 'b' }];
    await client().chat({ ...ASK, budget });
    await client().chat({ ...ASK, budget });
    expect(await codeOf(client().chat({ ...ASK, budget }))).toBe('JOB_BUDGET_EXHAUSTED');
    expect(budget.usage).toMatchObject({ calls: 2, totalTokens: 20 });
    expect(seen).toHaveLength(2);
  });

  it('ends with its signal', async () => {
    const signal = AbortSignal.abort(new Error('stopping'));
    expect(await codeOf(client().chat({ ...ASK, signal }))).toContain('stopping');
  });

  it('embeds texts in their order', async () => {
    script = [
      {
        body: {
          data: [
            { index: 1, embedding: [2] },
            { index: 0, embedding: [1] },
          ],
        },
      },
    ];
    expect(await client().embed({ projectId: 'p', model: 'a/b', texts: ['x', 'y'] })).toEqual([[1], [2]]);
  });
});
