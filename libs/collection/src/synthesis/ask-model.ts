import type { PromptMessage } from '@clew/review';
import type { z } from 'zod';
import type { ItemAnswer, ResponseAnswer, SecondLookAnswer } from './answers.ts';

/** Question to a model, and the shape of its answer. */
export interface Question<Answer extends z.ZodType> {
  schema: Answer;
  messages: readonly PromptMessage[];
  maxTokens: number;
  /** Name of the question among those about one Example. */
  name: 'synthesis' | 'second-look';
}

/** Asks a model. A failure of the second look is reported as `undefined`: the Example is kept without it. */
export interface AskModel {
  (question: Question<typeof ResponseAnswer>): Promise<ResponseAnswer>;
  (question: Question<typeof ItemAnswer>): Promise<ItemAnswer>;
  (question: Question<typeof SecondLookAnswer>): Promise<SecondLookAnswer | undefined>;
}
