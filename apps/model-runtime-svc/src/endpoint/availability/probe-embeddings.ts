import { z } from 'zod';
import type { ModelEndpoint } from '../providers/endpoints.ts';
import type { AskModel } from './ask-model.ts';

const EMBEDS = /embed|(?:^|[/_.-])(?:bge|gte|e5|minilm)(?=[/_.-]|$)/i;
const RERANKS = /rerank|cross-encoder/i;

/** Whether a model's name says that it embeds. */
export function isNamedForEmbedding(model: string): boolean {
  return EMBEDS.test(model) && !RERANKS.test(model);
}

const Answer = z.looseObject({ data: z.tuple([z.looseObject({ embedding: z.array(z.number()).min(1) })]) });

/** Whether a model embeds, by one small call. Throws an AppError where its provider does not answer well. */
export async function probeEmbeddings(ask: AskModel, projectId: string, endpoint: ModelEndpoint): Promise<boolean> {
  const answered = await ask.embeddings(projectId, endpoint, { input: ['ready'], encoding_format: 'float' });
  const { data } = Answer.safeParse(answered);
  return data?.data[0].embedding.some((value) => value !== 0) === true;
}
