import { z } from 'zod';
import type { ModelEndpoint } from '../providers/endpoints.ts';
import type { AskModel } from './ask-model.ts';

const EMBEDS = /embed|(?:^|[/_.-])(?:bge|gte|e5|minilm)(?=[/_.-]|$)/i;
const RERANKS = /rerank|cross-encoder/i;

/** Whether a model's name suggests that it embeds. */
export function isNamedForEmbedding(model: string): boolean {
  return EMBEDS.test(model) && !RERANKS.test(model);
}

const Answer = z.looseObject({ data: z.tuple([z.looseObject({ embedding: z.array(z.number()).min(1) })]) });

/** Finds out with one small call whether a model embeds. Throws an AppError if its provider's answer is not valid. */
export async function probeEmbeddings(ask: AskModel, projectId: string, endpoint: ModelEndpoint): Promise<boolean> {
  const answered = await ask.embeddings(projectId, endpoint, { input: ['ready'], encoding_format: 'float' });
  const { data } = Answer.safeParse(answered);
  return data?.data[0].embedding.some((value) => value !== 0) === true;
}
