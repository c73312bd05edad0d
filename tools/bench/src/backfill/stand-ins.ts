import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ModelAvailability } from '@clew/contracts';
import { allText, dataBlocksOf, startProvider, type ChatRequest, type ScriptedAnswer } from '@clew/testing/provider';
import type { Conversations } from './conversations.ts';

export interface Endpoint {
  url: string;
  stop(): Promise<void>;
}

/** The only available model. */
export const MODEL = 'loop/model';

/** Answer when a judge is requested: no model can judge, so each conversation takes one call. */
/** Words of the requests that judge items, which no model here answers. */
const JUDGEMENTS = ['You check statements against quotes', 'You compare new statements'];
const NO_JUDGE: ScriptedAnswer = {
  status: 503,
  rawBody: JSON.stringify({ error: { code: 'model_unavailable', message: 'None can judge' } }),
};
const CAPABILITIES = {
  ...{ chat: true, jsonMode: true, jsonSchema: true, tools: true, contextLength: 32_000 },
  ...{ judgement: true, judgementScore: 1 },
};

/** Model endpoint: after the latency, it extracts one item per conversation, which quotes the first user message. */
export async function startModels(latencyMs: number): Promise<Endpoint> {
  const reply = (request: ChatRequest): ScriptedAnswer => {
    if (request.model === 'service/auto' || JUDGEMENTS.some((words) => allText(request).includes(words)))
      return NO_JUDGE;
    const [, index = '0', said = ''] =
      /^\[(\d+)\] user[^\n]*? \d\d:\d\d: (.+)$/m.exec(dataBlocksOf(request).at(-1) ?? '') ?? [];
    const evidence = [{ messageIndex: Number(index), quote: said }];
    const item = { title: said.slice(0, 80), content: said, kind: 'fact', confidence: 0.9, authority: 'user_stated' };
    return { text: JSON.stringify({ items: [{ ...item, evidence }] }), delayMs: latencyMs };
  };
  const provider = await startProvider({ reply });
  return { url: new URL(provider.url).origin, stop: () => provider.stop() };
}

/** Model availability as the Model Runtime reports it: the one model is available, any other name is unknown. */
export function startAvailability(): Promise<Endpoint> {
  return startEndpoint(async (request, response) => {
    const { models } = (await json(request)) as { models: string[] };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ availabilities: models.map(availabilityOf) }));
  });
}

function availabilityOf(model: string): ModelAvailability {
  const available = model === MODEL;
  const known = { resolvedModel: MODEL, capabilities: CAPABILITIES, checkedAt: 1 } as ModelAvailability;
  const unknown = { resolvedModel: null, capabilities: null, checkedAt: null };
  return { ...(available ? known : unknown), model, available, reason: available ? null : 'no_suitable_model' };
}

/** Routes of the telemetry warehouse that a backfill calls. */
export function startWarehouse(conversations: Conversations): Promise<Endpoint> {
  return startEndpoint(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://warehouse');
    const projectId = url.pathname.split('/')[4] ?? '';
    if (request.method === 'GET') {
      const of = (name: string) => Number(url.searchParams.get(name) ?? 0);
      const first = Math.max(of('from'), of('cursor'));
      const end = Math.min(first + of('limit'), of('to') + 1);
      const page = Array.from({ length: Math.max(0, end - first) }, (_, index) => conversations.ready(first + index));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ conversations: page, nextCursor: end <= of('to') ? String(end) : null }));
      return;
    }
    const { snapshotIds } = (await json(request)) as { snapshotIds: string[] };
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    for (const id of snapshotIds) response.write(`${JSON.stringify(conversations.snapshot(projectId, id))}\n`);
    response.end();
  });
}

/** Starts a server on loopback. */
export async function startEndpoint(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Endpoint> {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
