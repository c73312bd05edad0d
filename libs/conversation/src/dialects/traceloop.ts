import { decodeMessage } from './chat-message.ts';
import { flattenedLists, nestedList, type FlattenedItem } from './flattened.ts';
import { calledWith } from './openinference.ts';
import type { MessageRole, ReadMessage, ReadTool, SpanContent } from './span-reading.ts';
import { toolArguments, toolDefinitions, toolResultText } from './tool-values.ts';
import { firstIdentifier, isRecord, parseJson, structured, type JsonRecord } from './values.ts';

const LISTS = ['gen_ai.prompt', 'gen_ai.completion', 'llm.request.functions'] as const;

/**
 * Reads Traceloop (OpenLLMetry): messages flattened to `gen_ai.prompt.<index>.<field>`, tools in `traceloop.entity.*`.
 */
export function readTraceloop(attributes: JsonRecord): SpanContent {
  const lists = flattenedLists(attributes, LISTS);
  const input = messagesOf(lists.get('gen_ai.prompt'), 'user');
  const output = messagesOf(lists.get('gen_ai.completion'), 'assistant');
  const functions = lists.get('llm.request.functions')?.map((item) => Object.fromEntries(item));
  const tool = attributes['traceloop.span.kind'] === 'tool' ? readTool(attributes) : undefined;
  return {
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(functions === undefined ? {} : { toolDefinitions: toolDefinitions(functions) }),
    ...(tool === undefined ? {} : { tool }),
  };
}

function messagesOf(items: readonly FlattenedItem[] | undefined, fallback: MessageRole): ReadMessage[] | undefined {
  const messages = items?.flatMap((item) => messageOf(item, fallback)) ?? [];
  return messages.length === 0 ? undefined : messages;
}

function messageOf(item: FlattenedItem, fallback: MessageRole): ReadMessage[] {
  const calls = nestedList(item, 'tool_calls').map((call) => Object.fromEntries(call));
  const functionName = item.get('function_call.name');
  // Text completion instrumentations call the prompt itself `user`.
  const content = item.get('content') ?? item.get('user');
  if (content === undefined && calls.length === 0 && !item.has('role') && functionName === undefined) return [];
  return decodeMessage(
    {
      role: item.get('role'),
      // This instrumentation omits empty content, so its absence means that it was empty.
      content: contentParts(content ?? ''),
      tool_call_id: item.get('tool_call_id'),
      name: item.get('name'),
      finish_reason: item.get('finish_reason'),
      reasoning: item.get('reasoning'),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
      ...(typeof functionName === 'string'
        ? { function_call: { name: functionName, arguments: item.get('function_call.arguments') } }
        : {}),
    },
    fallback,
  );
}

/** Parses content that was a list of parts and was written as JSON text. */
function contentParts(content: unknown): unknown {
  if (typeof content !== 'string' || !content.startsWith('[{')) return content;
  const parsed = parseJson(content);
  const isParts = Array.isArray(parsed) && parsed.every((part) => isRecord(part) && PART_TYPES.has(part.type));
  return isParts ? parsed : content;
}

const PART_TYPES: ReadonlySet<unknown> = new Set([
  'text',
  'input_text',
  'output_text',
  'image_url',
  'image',
  'input_audio',
  'file',
  'tool_use',
  'tool_result',
  'thinking',
]);

function readTool(attributes: JsonRecord): ReadTool {
  const input = attributes['traceloop.entity.input'];
  const output = attributes['traceloop.entity.output'];
  const id = firstIdentifier(attributes, ['gen_ai.tool.call.id']);
  const parsed = structured(output) ?? output;
  // LangChain's callbacks add their own arguments beside the output.
  const isCallback = isRecord(parsed) && Object.hasOwn(parsed, 'output') && Object.hasOwn(parsed, 'kwargs');
  return {
    name: firstIdentifier(attributes, ['gen_ai.tool.name', 'traceloop.entity.name']) ?? '',
    ...(id === undefined ? {} : { id }),
    ...(input === undefined ? {} : { arguments: calledWith(toolArguments(input)) }),
    result: toolResultText(isCallback ? parsed.output : parsed),
    hasResult: output !== undefined && output !== null,
  };
}
