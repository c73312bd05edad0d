import { z } from 'zod';

// The schemas here output their members in schema order, which is the order of RFC 8785. The text of an Example is
// therefore canonical as stored, and need not be rebuilt for its digest.

const MAX_MESSAGES = 10_000;
const MAX_PARTS = 1_000;
const MAX_TOOLS = 1_000;
const MAX_CRITERIA = 100;

/** Any JSON value, including null. Kept unchanged: only the limits of the whole Example apply. */
const JsonValue = z.unknown().refine((value) => value !== undefined, 'is required');

/** Object whose members are kept unchanged, including those that a copy would lose (`__proto__`). */
const OpenObject = z
  .unknown()
  .refine((value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'must be an object')
  .meta({ type: 'object' });

const ContentPart = OpenObject.refine(
  (part) => typeof (part as { type?: unknown } | null)?.type === 'string',
  'must have a type',
);

const MessageContent = z
  .union([z.string(), z.array(ContentPart).min(1).max(MAX_PARTS), z.null()], {
    error: 'must be a text or a list of parts with a type; null where the message only calls tools',
  })
  .meta({ description: 'A text, a list of parts (each with a `type`), or null where a message only calls tools' });

const MessageToolCall = z.strictObject({
  arguments: JsonValue.meta({ description: 'The parsed JSON, or the raw text where it is not JSON' }),
  id: z.string().max(512).optional(),
  name: z.string().min(1).max(512),
});

const contentAndName = {
  content: MessageContent,
  name: z.string().min(1).max(512).optional(),
} as const;

const ToolCalls = z.array(MessageToolCall).min(1).max(MAX_TOOLS);

const saysSomething = (message: { content?: unknown; toolCalls?: unknown }) =>
  message.content !== null || message.toolCalls !== undefined;
const SAYS_NOTHING = { path: ['content'], error: 'may be null only where the message calls tools' };

export const EXAMPLE_MESSAGE_ROLES = ['system', 'developer', 'user', 'assistant', 'tool'] as const;

export const ExampleMessage = z
  .strictObject({
    ...contentAndName,
    role: z.enum(EXAMPLE_MESSAGE_ROLES),
    toolCallId: z.string().max(512).optional().meta({ description: 'On role tool: the call that this answers' }),
    toolCalls: ToolCalls.optional(),
  })
  .refine(saysSomething, SAYS_NOTHING)
  .meta({ id: 'ExampleMessage' });
export type ExampleMessage = z.infer<typeof ExampleMessage>;

const AssistantMessage = z
  .strictObject({ ...contentAndName, role: z.literal('assistant'), toolCalls: ToolCalls.optional() })
  .refine(saysSomething, SAYS_NOTHING);

export const ExampleInput = z
  .discriminatedUnion('type', [
    z.strictObject({
      messages: z.array(ExampleMessage).min(1).max(MAX_MESSAGES),
      parallelToolCalls: z.boolean().optional(),
      tools: z
        .array(OpenObject)
        .max(MAX_TOOLS)
        .optional()
        .meta({ description: 'Tools that were offered, as the provider takes them' }),
      type: z.literal('chat'),
    }),
    z.strictObject({ prompt: z.string().min(1), system: z.string().optional(), type: z.literal('prompt') }),
    z.strictObject({ context: z.string().optional(), instruction: z.string().min(1), type: z.literal('instruction') }),
    z.strictObject({ text: z.string(), type: z.literal('text') }),
    z.strictObject({ type: z.literal('json'), value: JsonValue }),
  ])
  .meta({ id: 'ExampleInput' });
export type ExampleInput = z.infer<typeof ExampleInput>;

export const ExampleOutput = z
  .discriminatedUnion('type', [
    z.strictObject({ message: AssistantMessage, type: z.literal('chat_message') }),
    z.strictObject({ text: z.string(), type: z.literal('text') }),
    z.strictObject({ type: z.literal('json'), value: JsonValue }),
    z.strictObject({ label: z.string().min(1).max(1_000), type: z.literal('classification') }),
  ])
  .meta({ id: 'ExampleOutput' });
export type ExampleOutput = z.infer<typeof ExampleOutput>;

const Criterion = z.string().max(20_000).trim().min(1);

export const ExampleRubric = z
  .strictObject({
    criteria: z.union([Criterion, z.array(Criterion).min(1).max(MAX_CRITERIA)], {
      error: 'must be a text that is not empty, or a list of such texts',
    }),
    scoring: z
      .array(
        z.strictObject({
          description: z.string().max(20_000).optional(),
          label: z.string().min(1).max(1_000),
          score: z.number(),
        }),
      )
      .max(MAX_CRITERIA)
      .optional(),
  })
  .meta({ id: 'ExampleRubric' });

export const ExamplePayload = z
  .strictObject({
    expectedOutput: ExampleOutput.optional(),
    input: ExampleInput,
    rejectedOutput: ExampleOutput.optional(),
    rubric: ExampleRubric.optional(),
  })
  .meta({
    id: 'ExamplePayload',
    example: {
      expectedOutput: { text: 'Billing does not answer. I will try again.', type: 'text' },
      input: { messages: [{ content: 'Cancel order 17.', role: 'user' }], type: 'chat' },
    },
  });
export type ExamplePayload = z.infer<typeof ExamplePayload>;
