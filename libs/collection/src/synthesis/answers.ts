import { z } from 'zod';

const MAX_QUOTES = 20;
const MAX_CALLS = 20;
const MAX_PERSONS = 100;

/** Schema of a response that a model writes for a step of a conversation. */
export const ResponseAnswer = z.strictObject({
  reasoning: z.string(),
  known: z.boolean(),
  content: z.string().nullable(),
  toolCalls: z.array(z.strictObject({ name: z.string(), arguments: z.string() })).max(MAX_CALLS),
  quotes: z.array(z.strictObject({ messageIndex: z.int(), quote: z.string() })).max(MAX_QUOTES),
  persons: z.array(z.string()).max(MAX_PERSONS),
});
export type ResponseAnswer = z.infer<typeof ResponseAnswer>;

/** Schema of a question about a Knowledge item, and its answer. */
export const ItemAnswer = z.strictObject({
  reasoning: z.string(),
  suitable: z.boolean(),
  question: z.string(),
  answer: z.string(),
  quotes: z.array(z.string()).max(MAX_QUOTES),
  persons: z.array(z.string()).max(MAX_PERSONS),
});
export type ItemAnswer = z.infer<typeof ItemAnswer>;

/** Schema of a sceptic's answer about a response. */
export const SecondLookAnswer = z.strictObject({
  against: z.string(),
  because: z.string(),
  right: z.enum(['yes', 'no', 'unclear']),
});
export type SecondLookAnswer = z.infer<typeof SecondLookAnswer>;
