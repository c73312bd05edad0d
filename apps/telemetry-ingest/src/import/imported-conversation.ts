import { z } from 'zod';
import { ConversationId, EpochMs } from '@clew/contracts';

/** Latest time whose value in nanoseconds fits in 64 bits. */
const MAX_EPOCH_MS = 18_446_744_073_709;

const ToolCall = z.looseObject({
  id: z.string().max(512).optional(),
  function: z.looseObject({ name: z.string().min(1).max(512), arguments: z.unknown() }),
});

const ContentPart = z.looseObject({ type: z.string(), text: z.string().optional() });

const Message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(ContentPart)]).nullish(),
  name: z.string().max(512).nullish(),
  tool_calls: z.array(ToolCall).max(1_000).nullish(),
  tool_call_id: z.string().max(512).nullish(),
});
export type ImportedMessage = z.infer<typeof Message>;

/** One line of an import: an OpenAI-style message list with what is known of the conversation. */
export const ImportedConversation = z.strictObject({
  id: ConversationId.optional(),
  messages: z.array(Message).min(1).max(10_000),
  metadata: z
    .looseObject({
      agent: z.string().max(256).optional(),
      model: z.string().max(256).optional(),
      userId: z.string().max(256).optional(),
      startedAt: EpochMs.max(MAX_EPOCH_MS).optional(),
    })
    .optional(),
});
export type ImportedConversation = z.infer<typeof ImportedConversation>;
