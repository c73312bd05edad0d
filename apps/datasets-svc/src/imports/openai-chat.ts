import { z } from 'zod';
import type { ExampleMessage } from '@clew/contracts';
import { MAX_JSON_DEPTH, parseStrictly } from '@clew/kernel';
import { UnreadableField } from './import-record.ts';

const FunctionCall = z.strictObject({ name: z.string(), arguments: z.string() });
const ToolCall = z.strictObject({
  id: z.string().nullish(),
  index: z.int().nullish(),
  type: z.literal('function').nullish(),
  function: FunctionCall,
});

const Message = z.strictObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(z.unknown())], { error: 'must be a text or a list of parts' }).nullish(),
  name: z.string().nullish(),
  tool_calls: z.array(ToolCall).nullish(),
  tool_call_id: z.string().nullish(),
  function_call: FunctionCall.nullish(),
  // Fields without a meaning for an Example. A non-null refusal is rejected, because its text would be lost.
  weight: z.number().nullish(),
  annotations: z.array(z.unknown()).nullish(),
  refusal: z.null().optional(),
  audio: z.null().optional(),
});
type Message = z.infer<typeof Message>;

const Messages = z.array(Message).max(10_000);
const offers = {
  tools: z.array(z.unknown()).nullish(),
  functions: z.array(z.unknown()).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
};

const FineTuningLine = z.strictObject({ messages: Messages, ...offers });
const PreferenceLine = z.strictObject({
  input: z.strictObject({ messages: Messages, ...offers }),
  preferred_output: Messages,
  non_preferred_output: Messages,
});

/** Converts a line of an OpenAI fine-tuning file, supervised or preference, to an Example; throws UnreadableField. */
export function fromOpenAiLine(value: unknown): unknown {
  const isPreference = typeof value === 'object' && value !== null && 'preferred_output' in value;
  return isPreference ? fromPreference(parse(PreferenceLine, value)) : fromFineTuning(parse(FineTuningLine, value));
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(value);
  const issue = error?.issues[0];
  if (issue !== undefined) throw new UnreadableField(issue.path.map(String).join('.'), issue.message);
  return data as z.output<Schema>;
}

function fromFineTuning({ messages, ...offered }: z.infer<typeof FineTuningLine>): unknown {
  const answer = messages.findLastIndex(({ role }) => role === 'assistant');
  if (answer === -1) throw new UnreadableField('messages', 'hold none of the assistant');
  if (answer < messages.length - 1) {
    throw new UnreadableField(`messages.${answer + 1}`, 'comes after the last message of the assistant');
  }
  return {
    payload: {
      input: inputOf(messages.slice(0, answer), offered),
      expectedOutput: outputOf('messages', messages.slice(answer)),
    },
  };
}

function fromPreference(line: z.infer<typeof PreferenceLine>): unknown {
  const { messages, ...offered } = line.input;
  return {
    payload: {
      input: inputOf(messages, offered),
      expectedOutput: outputOf('preferred_output', line.preferred_output),
      rejectedOutput: outputOf('non_preferred_output', line.non_preferred_output),
    },
  };
}

type Offers = Omit<z.infer<typeof FineTuningLine>, 'messages'>;

function inputOf(messages: readonly Message[], { tools, functions, parallel_tool_calls: parallel }: Offers): unknown {
  const offered = tools ?? functions?.map((definition) => ({ type: 'function', function: definition }));
  return {
    type: 'chat',
    messages: messages.map(toMessage),
    ...(offered == null ? {} : { tools: offered }),
    ...(parallel == null ? {} : { parallelToolCalls: parallel }),
  };
}

function outputOf(path: string, messages: readonly Message[]): unknown {
  const [message] = messages;
  if (message === undefined || messages.length > 1 || message.role !== 'assistant') {
    throw new UnreadableField(path, 'must be one message of the assistant');
  }
  return { type: 'chat_message', message: toMessage(message) };
}

function toMessage(message: Message): unknown {
  const { role, content, name, tool_call_id: toolCallId } = message;
  const calls = toolCallsOf(message);
  return {
    role: role === 'function' ? ('tool' satisfies ExampleMessage['role']) : role,
    content: content ?? null,
    ...(name == null ? {} : { name }),
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
    ...(toolCallId == null ? {} : { toolCallId }),
  };
}

function toolCallsOf({ tool_calls: calls, function_call: call }: Message): unknown[] {
  const given = calls ?? (call == null ? [] : [{ id: undefined, function: call }]);
  return given.map(({ id, function: { name, arguments: text } }) => ({
    ...(id == null ? {} : { id }),
    name,
    arguments: argumentsOf(text),
  }));
}

/** Parses the text to an object. Any other text stays as it is, so that an export restores it. */
function argumentsOf(text: string): unknown {
  const read = parseStrictly(text, { maxDepth: MAX_JSON_DEPTH });
  return 'value' in read && typeof read.value === 'object' && read.value !== null ? read.value : text;
}
