import { z } from 'zod';

const MAX_MESSAGES = 10_000;
const MAX_PARTS = 1_000;
const MAX_TOOLS = 1_000;
const MAX_CRITERIA = 100;

/** Any JSON, null too. Kept as it came: its bounds are those of the whole Example. */
const JsonValue = z.unknown().refine((value) => value !== undefined, 'is required');

/** An object whose members are kept as they came, also those that a copy would lose (`__proto__`). */
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
  id: z.string().max(512).optional(),
  name: z.string().min(1).max(512),
  arguments: JsonValue.meta({ description: 'The parsed JSON, or the raw text where it is not JSON' }),
});

const messageMembers = {
  content: MessageContent,
  name: z.string().min(1).max(512).optional(),
  toolCalls: z.array(MessageToolCall).min(1).max(MAX_TOOLS).optional(),
} as const;

const saysSomething = (message: { content?: unknown; toolCalls?: unknown }) =>
  message.content !== null || message.toolCalls !== undefined;
const SAYS_NOTHING = { path: ['content'], error: 'may be null only where the message calls tools' };

export const EXAMPLE_MESSAGE_ROLES = ['system', 'developer', 'user', 'assistant', 'tool'] as const;

export const ExampleMessage = z
  .strictObject({
    role: z.enum(EXAMPLE_MESSAGE_ROLES),
    ...messageMembers,
    toolCallId: z.string().max(512).optional().meta({ description: 'On role tool: the call that this answers' }),
  })
  .refine(saysSomething, SAYS_NOTHING)
  .meta({ id: 'ExampleMessage' });
export type ExampleMessage = z.infer<typeof ExampleMessage>;

const AssistantMessage = z
  .strictObject({ role: z.literal('assistant'), ...messageMembers })
  .refine(saysSomething, SAYS_NOTHING);

export const ExampleInput = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('chat'),
      messages: z.array(ExampleMessage).min(1).max(MAX_MESSAGES),
      tools: z
        .array(OpenObject)
        .max(MAX_TOOLS)
        .optional()
        .meta({ description: 'Tools that were offered, as the provider takes them' }),
      parallelToolCalls: z.boolean().optional(),
    }),
    z.strictObject({ type: z.literal('prompt'), prompt: z.string().min(1), system: z.string().optional() }),
    z.strictObject({ type: z.literal('instruction'), instruction: z.string().min(1), context: z.string().optional() }),
    z.strictObject({ type: z.literal('text'), text: z.string() }),
    z.strictObject({ type: z.literal('json'), value: JsonValue }),
  ])
  .meta({ id: 'ExampleInput' });
export type ExampleInput = z.infer<typeof ExampleInput>;

export const ExampleOutput = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('chat_message'), message: AssistantMessage }),
    z.strictObject({ type: z.literal('text'), text: z.string() }),
    z.strictObject({ type: z.literal('json'), value: JsonValue }),
    z.strictObject({ type: z.literal('classification'), label: z.string().min(1).max(1_000) }),
  ])
  .meta({ id: 'ExampleOutput' });
export type ExampleOutput = z.infer<typeof ExampleOutput>;

const Criterion = z.string().trim().min(1).max(20_000);

export const ExampleRubric = z
  .strictObject({
    criteria: z.union([Criterion, z.array(Criterion).min(1).max(MAX_CRITERIA)], {
      error: 'must be a text that is not empty, or a list of such texts',
    }),
    scoring: z
      .array(
        z.strictObject({
          label: z.string().min(1).max(1_000),
          description: z.string().max(20_000).optional(),
          score: z.number(),
        }),
      )
      .max(MAX_CRITERIA)
      .optional(),
  })
  .meta({ id: 'ExampleRubric' });

export const ExamplePayload = z
  .strictObject({
    input: ExampleInput,
    expectedOutput: ExampleOutput.optional(),
    rejectedOutput: ExampleOutput.optional(),
    rubric: ExampleRubric.optional(),
  })
  .meta({ id: 'ExamplePayload' });
export type ExamplePayload = z.infer<typeof ExamplePayload>;
