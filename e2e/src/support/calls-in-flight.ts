import { once } from 'node:events';
import { request as sendRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import type { CalledService, RouteClass } from '@clew/contracts';
import { toOtlpJson, encodeConversation } from '@clew/testing';
import { cleanConversation } from './conversations.ts';
import { createTestDataset, CHAT_V1, manualExample } from './datasets.ts';
import type { TestProject } from './test-project.ts';

/** Call that stays in flight until it is released. */
export interface HeldCall {
  name: string;
  service: CalledService;
  routeClass: RouteClass;
  method: 'POST' | 'PATCH';
  /** Path below the gateway. */
  path: string;
  headers: Record<string, string>;
  /** Two parts of the body: the caller sends the second one when the call is released. */
  body: readonly [string, string];
  /** Set if the model delays the call, not the caller. */
  isHeldByModel?: true;
  status: number;
  /** Part of the expected answer. */
  answer: string;
}

/** Text of the user in all held chats. */
export const SAID_IN_CHATS = 'Hello';

const JSON_TYPE = { 'content-type': 'application/json' };
const LINES_TYPE = { 'content-type': 'application/x-ndjson' };
const BOUNDARY = 'part-of-a-recording';

/**
 * One call of each class for each service that answers such calls; models come from the provider `loop`. The label
 * names the resources that the calls create.
 */
export async function heldCalls(project: TestProject, label: string): Promise<HeldCall[]> {
  const { dataset } = await createTestDataset(project, { name: label });
  const below = (path: string) => `/v1/projects/${project.id}${path}`;
  const json = (name: string, service: CalledService, path: string, body: object) => ({
    ...{ name, service, routeClass: 'json' as const, path: below(path), method: 'POST' as const, headers: JSON_TYPE },
    ...{ body: halves(JSON.stringify(body)), status: 201, answer: 'createdAt' },
  });
  const patch = { method: 'PATCH', status: 200, answer: '"settings"' } as const;
  const post = { method: 'POST', status: 200 } as const;
  const chat = { model: 'loop/tiny-chat', messages: [{ role: 'user', content: SAID_IN_CHATS }] };
  const ofModel = { service: 'model-runtime-svc', routeClass: 'inference', isHeldByModel: true, ...post } as const;
  const ofExamples = { ...post, service: 'datasets-svc' } as const;
  const { spans } = encodeConversation(cleanConversation('held'), {
    dialect: 'genai',
    startMs: Date.now(),
    idSeed: label,
  });
  const line = (id: string) => `${JSON.stringify({ id, messages: [{ role: 'user', content: id }] })}\n`;
  return [
    json('a Dataset', 'datasets-svc', '/datasets', { name: `${label}, made`, schema: CHAT_V1 }),
    json('a goal', 'knowledge-svc', '/knowledge/goals', { name: 'Facts', instruction: 'Learn facts' }),
    json('a provider', 'model-runtime-svc', '/models/providers', { name: label, baseUrl: 'http://127.0.0.1:9/v1' }),
    { ...json('settings', 'diagnostics-svc', '/diagnostics/settings', { dailyAdjudications: 100 }), ...patch },
    { ...json('retention', 'telemetry-warehouse', '/telemetry/settings', { maintenanceIntervalHours: 24 }), ...patch },
    {
      ...{ ...ofExamples, name: 'a batch', routeClass: 'batch', path: below(`/datasets/${dataset.id}/examples/batch`) },
      ...{ headers: JSON_TYPE, status: 201, answer: 'held in a batch' },
      body: halves(JSON.stringify({ examples: [manualExample('held in a batch')] })),
    },
    {
      ...{ ...ofExamples, name: 'a Dataset import', routeClass: 'stream', headers: LINES_TYPE },
      path: below(`/datasets/${dataset.id}/imports?format=jsonl`),
      body: [`${JSON.stringify(manualExample('first'))}\n`, `${JSON.stringify(manualExample('second'))}\n`],
      answer: '"imported":2',
    },
    {
      ...{ ...post, name: 'an import of conversations', service: 'telemetry-ingest', routeClass: 'stream' },
      ...{ path: below('/conversations/import'), headers: LINES_TYPE, answer: '"imported":2' },
      body: [line(`${label}-1`), line(`${label}-2`)],
    },
    {
      ...{ ...post, name: 'spans', service: 'telemetry-ingest', routeClass: 'otlp', path: '/v1/traces' },
      ...{ headers: JSON_TYPE, body: halves(JSON.stringify(toOtlpJson({ spans, logs: [] }))), answer: '{' },
    },
    {
      ...{ ...ofModel, name: 'a chat', path: '/v1/chat/completions', headers: JSON_TYPE },
      ...{ body: [JSON.stringify(chat), ''], answer: `You said: ${SAID_IN_CHATS}` },
    },
    {
      ...{ ...ofModel, name: 'a streamed chat', path: '/v1/chat/completions', headers: JSON_TYPE },
      ...{ body: [JSON.stringify({ ...chat, stream: true }), ''], answer: '[DONE]' },
    },
    {
      ...{ ...post, name: 'a recording', service: 'model-runtime-svc', routeClass: 'audio' },
      ...{ path: '/v1/audio/transcriptions', headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } },
      ...{ body: recording(), answer: 'speech.wav' },
    },
  ];
}

function halves(text: string): [string, string] {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

function recording(): [string, string] {
  const part = (disposition: string, content: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
  const model = part('name="model"', 'loop/tiny-whisper');
  const file = part('name="file"; filename="speech.wav"', 'x'.repeat(100_000));
  return [`${model}${file.slice(0, 50_000)}`, `${file.slice(50_000)}--${BOUNDARY}--\r\n`];
}

export interface BegunCall extends HeldCall {
  /** Releases the call, and resolves with its answer. */
  finish(): Promise<{ status: number; text: string }>;
}

/** Sends the first part of a call over a new connection. */
export async function begin(call: HeldCall, gatewayUrl: string, apiKey: string): Promise<BegunCall> {
  const request: ClientRequest = sendRequest(new URL(call.path, gatewayUrl), {
    method: call.method,
    agent: false,
    headers: { authorization: `Bearer ${apiKey}`, 'transfer-encoding': 'chunked', ...call.headers },
  });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  answered.catch(() => undefined);
  const [first, second] = call.body;
  await new Promise((resolve) => request.write(first, resolve));
  // The model is called only after the whole request has arrived.
  if (call.isHeldByModel === true) request.end();
  return {
    ...call,
    async finish() {
      if (call.isHeldByModel !== true) request.end(second);
      const [response] = await answered;
      let text = '';
      for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) text += chunk;
      return { status: response.statusCode ?? 0, text };
    },
  };
}
