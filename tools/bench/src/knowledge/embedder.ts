import { json } from 'node:stream/consumers';
import type { ModelAvailability } from '@clew/contracts';
import { startEndpoint, type Endpoint } from '../backfill/stand-ins.ts';
import { EMBEDDER, vectorOfQuestion } from './workload.ts';

/** Model Runtime whose one model embeds at once, while it is available. */
export interface Embedder extends Endpoint {
  isAvailable: boolean;
}

export async function startEmbedder(): Promise<Embedder> {
  const endpoint = await startEndpoint(async (request, response) => {
    const body = (await json(request)) as { models?: string[]; input?: string[] };
    response.setHeader('content-type', 'application/json');
    const answer =
      body.input === undefined ? availabilities(body.models ?? [], embedder.isAvailable) : embeddings(body.input);
    response.end(JSON.stringify(answer));
  });
  const embedder: Embedder = { ...endpoint, isAvailable: false };
  return embedder;
}

function availabilities(models: readonly string[], available: boolean) {
  const resolved = available
    ? { reason: null, resolvedModel: EMBEDDER }
    : { reason: 'no_suitable_model' as const, resolvedModel: null };
  const known = { available, ...resolved, capabilities: null, checkedAt: 1 };
  return { availabilities: models.map((model): ModelAvailability => ({ model, ...known })) };
}

function embeddings(texts: readonly string[]) {
  const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: [...vectorOfQuestion(text)] }));
  return { object: 'list', data, model: EMBEDDER };
}
