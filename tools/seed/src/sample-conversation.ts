import { KNOWLEDGE_KINDS } from '@clew/contracts';
import { z } from 'zod';

const SampleToolCall = z.strictObject({ id: z.string().min(1), name: z.string().min(1), arguments: z.unknown() });

const SampleMessage = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  toolCalls: z.array(SampleToolCall).min(1).optional(),
  toolCallId: z.string().optional(),
  name: z.string().optional(),
  isError: z.literal(true).optional(),
  finishReason: z.string().optional(),
  afterMs: z.int().min(1).optional(),
});

/**
 * Statement of lasting use that a conversation teaches. It is said at least once, and each place is sufficient
 * evidence.
 */
const TaughtStatement = z.strictObject({
  kind: z.enum(KNOWLEDGE_KINDS),
  said: z
    .array(
      z.strictObject({
        messageIndex: z.int().min(0),
        /** Exact words in the message. */
        words: z.string().min(1),
        /** Numbers and names that an item must contain to state the same. */
        mentions: z.array(z.string().min(1)).min(1),
      }),
    )
    .min(1),
});
export type TaughtStatement = z.infer<typeof TaughtStatement>;

/**
 * One conversation of `samples/conversations`: its messages, the Findings of the built-in Rules, and the statements
 * that a team learns from it.
 */
export const SampleConversation = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
  title: z.string().min(1),
  agent: z.string().min(1),
  model: z.string().min(1),
  userId: z.string().min(1),
  expectedFindings: z.array(z.string()),
  teaches: z.array(TaughtStatement),
  tools: z.array(z.strictObject({ name: z.string(), description: z.string(), parameters: z.unknown() })),
  messages: z.array(SampleMessage).min(4).max(25),
});
export type SampleConversation = z.infer<typeof SampleConversation>;

/** Sample file, which holds the conversations of one domain. */
export const SampleFile = z.array(SampleConversation).min(1);
