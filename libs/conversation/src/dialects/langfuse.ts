import { decodeMessages, looksLikeMessage } from './chat-message.ts';
import { calledWith } from './openinference.ts';
import type { MessageRole, ReadMessage, ReadTool, SpanContent } from './span-reading.ts';
import { toolArguments, toolDefinitions, toolResultText } from './tool-values.ts';
import { isRecord, structured, type JsonRecord } from './values.ts';

/**
 * Reads Langfuse: one input and one output per observation, a text or JSON text of any shape. A generation's input is a
 * list of chat messages, or a record of messages and tools; its output is one message, several choices, or a text.
 */
export function readLangfuse(attributes: JsonRecord, spanName: string): SpanContent {
  const type = observationType(attributes);
  const input = attributes['langfuse.observation.input'];
  const output = attributes['langfuse.observation.output'];
  if (type === 'tool') return { tool: readTool(spanName, input, output) };
  if (type !== 'generation') return {};
  const given = structured(input) ?? input;
  const { messages, definitions } = splitDefinitions(
    isRecord(given) && !looksLikeMessage(given) ? given : { messages: given },
  );
  return {
    ...(messages === undefined ? {} : { input: chat(messages, 'user') }),
    ...(output === undefined ? {} : { output: chat(structured(output) ?? output, 'assistant') }),
    ...(definitions.length === 0 ? {} : { toolDefinitions: definitions }),
  };
}

/** Type of an observation; early SDKs called a generation a span, but gave it a model. */
export function observationType(attributes: JsonRecord): string | undefined {
  const type = attributes['langfuse.observation.type'];
  if (typeof type !== 'string') return undefined;
  const isGeneration = type === 'span' && attributes['langfuse.observation.model.name'] !== undefined;
  return isGeneration ? 'generation' : type.toLowerCase();
}

function chat(value: unknown, role: MessageRole): ReadMessage[] {
  if (isRecord(value) && Array.isArray(value.messages)) return decodeMessages(value.messages, role);
  if (isRecord(value) && Array.isArray(value.choices)) return decodeMessages(value.choices, role);
  if (
    isRecord(value) &&
    !looksLikeMessage(value) &&
    !Object.hasOwn(value, 'content') &&
    !Object.hasOwn(value, 'tool_calls')
  ) {
    return decodeMessages([{ role, content: value }], role);
  }
  return decodeMessages(value, role);
}

/** Separates the tool definitions that LangChain's handler appends to the messages, as messages of role tool. */
function splitDefinitions(given: JsonRecord): {
  messages: unknown;
  definitions: SpanContent['toolDefinitions'] & object;
} {
  const listed = given.messages ?? given.input ?? given.prompt;
  const list = Array.isArray(listed) ? listed : undefined;
  const declared = list?.filter(isDefinitionMessage).map((message: JsonRecord) => message.content) ?? [];
  const offered = [given.tools, given.functions].find(Array.isArray) ?? [];
  const messages =
    list !== undefined && declared.length > 0 ? list.filter((item) => !isDefinitionMessage(item)) : listed;
  return {
    messages: messages ?? (Object.hasOwn(given, 'messages') ? undefined : given),
    definitions: toolDefinitions([...offered, ...declared]),
  };
}

function isDefinitionMessage(message: unknown): message is JsonRecord {
  if (!isRecord(message) || message.role !== 'tool' || message.tool_call_id !== undefined) return false;
  return isRecord(message.content) && toolDefinitions([message.content]).length > 0;
}

function readTool(spanName: string, input: unknown, output: unknown): ReadTool {
  return {
    name: spanName,
    ...(input === undefined ? {} : { arguments: calledWith(toolArguments(input)) }),
    result: toolResultText(toolMessage(output)),
    hasResult: output !== undefined && output !== null,
  };
}

/** Parses a tool message of LangChain that was written as JSON; any other text is the result itself. */
function toolMessage(output: unknown): unknown {
  if (typeof output !== 'string' || !output.startsWith('{')) return output;
  const parsed = structured(output);
  const isMessage =
    isRecord(parsed) &&
    Object.hasOwn(parsed, 'content') &&
    (parsed.type === 'tool' || parsed.tool_call_id !== undefined);
  return isMessage ? parsed : output;
}
