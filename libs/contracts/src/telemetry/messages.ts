import { z } from 'zod';
import { EpochMs, JsonObject, SpanId, TraceId } from '../common/primitives.ts';
import { SuccessScore } from './success-scores.ts';

export const MESSAGE_ROLES = ['system', 'user', 'assistant', 'tool'] as const;

export const ToolCall = z
  .object({
    id: z.string().optional().meta({ description: 'As the model named the call; absent where the dialect has none' }),
    name: z.string(),
    arguments: z.unknown().meta({ description: 'The parsed JSON, or the raw text where it is not JSON' }),
  })
  .meta({ id: 'ToolCall' });
export type ToolCall = z.infer<typeof ToolCall>;

const Tokens = z.int().min(0).optional();

/** Tokens of one call; the input includes the tokens read from or written to a cache. */
export const MessageUsage = z
  .object({
    inputTokens: Tokens,
    outputTokens: Tokens,
    cacheReadTokens: Tokens,
    cacheWriteTokens: Tokens,
    reasoningTokens: Tokens,
  })
  .meta({ id: 'MessageUsage' });
export type MessageUsage = z.infer<typeof MessageUsage>;

/** Origin of text that nobody said: it was retrieved, or recalled from earlier learning. */
export const MessageOrigin = z.enum(['retrieved', 'recalled']);
export type MessageOrigin = z.infer<typeof MessageOrigin>;

/** Message of the canonical conversation (design, section 5). */
export const ConversationMessage = z
  .object({
    index: z.int().min(0),
    role: z.enum(MESSAGE_ROLES),
    content: z.string().meta({ description: 'The text; empty where a message only calls tools' }),
    textExpired: z
      .literal(true)
      .optional()
      .meta({
        description:
          'Retention has taken its words, or they were never stored (`length`): text, arguments, reasoning and ' +
          'attachments are empty',
      }),
    length: z.int().min(0).optional().meta({
      description: 'Characters of its words, which the project does not store (`contentCapture: structure`)',
    }),
    toolCalls: z.array(ToolCall).optional(),
    toolCallId: z.string().optional().meta({ description: 'On role tool: the call that this result answers' }),
    name: z.string().optional().meta({ description: 'The tool, or the speaking agent' }),
    reasoning: z.string().optional(),
    attachments: z.array(JsonObject).optional().meta({ description: 'Parts that are not text, as they came' }),
    finishReason: z.string().optional(),
    error: z
      .object({ type: z.string(), message: z.string() })
      .optional()
      .meta({ description: 'On role tool: the tool span ended in an error. On role assistant: the call failed' }),
    model: z.string().optional().meta({ description: 'On role assistant: the model whose call gave it' }),
    usage: MessageUsage.optional().meta({
      description: 'On role assistant: the tokens of its call, at the last message that the call gave',
    }),
    durationMs: z.int().min(0).optional().meta({
      description: 'On role assistant: of its call, at the last message that the call gave. On role tool: of the run',
    }),
    origin: MessageOrigin.optional().meta({
      description: 'It is, or holds, text that came from retrieval or from recalled knowledge; absent where not known',
    }),
    traceId: TraceId,
    spanId: SpanId,
    atMs: EpochMs,
  })
  .meta({ id: 'ConversationMessage' });
export type ConversationMessage = z.infer<typeof ConversationMessage>;

/** Message as services see it. */
export const SnapshotMessage = ConversationMessage.extend({
  hash: z.string().optional().meta({
    description: 'Of what it says: role, text, calls, attachments. The same after its words have expired',
  }),
});
export type SnapshotMessage = z.infer<typeof SnapshotMessage>;

/** Tool that was offered to the model. */
export const ToolDefinition = z.object({
  name: z.string(),
  description: z.string().optional(),
  parameters: z.unknown(),
});
export type ToolDefinition = z.infer<typeof ToolDefinition>;

export const Score = z
  .object({
    id: z.string(),
    name: z.string().min(1).max(200),
    value: z.union([z.number(), z.boolean(), z.string().max(1000)]),
    traceId: TraceId.optional(),
    comment: z.string().max(10_000).optional(),
    textExpired: z.literal(true).optional().meta({ description: 'Retention has taken its comment' }),
    source: z.enum(['user', 'evaluator', 'api']),
    createdAt: EpochMs,
  })
  .meta({ id: 'Score', description: 'Feedback of a person or an evaluator on a conversation' });
export type Score = z.infer<typeof Score>;

/** Score as services see it. */
export const SnapshotScore = Score.extend({
  hash: z.string().optional().meta({ description: 'Of the judgement with its comment, where that has expired' }),
});
export type SnapshotScore = z.infer<typeof SnapshotScore>;

/**
 * Input of rules and extraction: one snapshot of a conversation, each message once, in order. `messages` may be cut at
 * `MAX_SNAPSHOT_MESSAGES` (then `truncated`).
 */
export const ConversationSnapshot = z
  .object({
    snapshotId: z.string(),
    projectId: z.string(),
    conversationId: z.string(),
    contentHash: z.string(),
    revision: z.int().min(1).meta({ description: 'Grows with every snapshot of the conversation' }),
    scope: z.enum(['conversation', 'prefix', 'traces']).meta({
      description: 'The whole conversation, its beginning up to a time, or some of its traces',
    }),
    startedAt: EpochMs,
    throughMs: EpochMs.meta({ description: 'The time of the last activity in it' }),
    agents: z.array(z.string()),
    models: z.array(z.string()),
    userId: z.string().nullable(),
    truncated: z.boolean(),
    messages: z.array(SnapshotMessage),
    tools: z.array(ToolDefinition),
    scores: z.array(SnapshotScore),
    successScores: z
      .array(SuccessScore)
      .optional()
      .meta({
        description:
          'The scores that count, as the project had set when the snapshot was read. It is no part of the snapshot, nor of ' +
          'its hash; absent where all of them count',
      }),
  })
  .meta({ id: 'ConversationSnapshot' });
export type ConversationSnapshot = z.infer<typeof ConversationSnapshot>;
