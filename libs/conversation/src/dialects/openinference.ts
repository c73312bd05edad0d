import { decodeMessages, joinTexts } from './chat-message.ts';
import { finishReason } from './finish-reason.ts';
import { flattenedLists, nestedList, type FlattenedItem } from './flattened.ts';
import { parsePythonLiteral } from './python-literal.ts';
import type { MessageRole, ReadMessage, ReadTool, SpanContent } from './span-reading.ts';
import { toolArguments, toolDefinitions, toolResultText } from './tool-values.ts';
import { firstIdentifier, isRecord, parseJson, structured, type JsonRecord } from './values.ts';

const LISTS = ['llm.input_messages', 'llm.output_messages', 'llm.tools', 'llm.prompts', 'llm.choices'] as const;

/** Reads OpenInference (Phoenix, smolagents, LlamaIndex): lists flattened to `<list>.<index>.<field>` keys. */
export function readOpenInference(attributes: JsonRecord): SpanContent {
  const lists = flattenedLists(attributes, LISTS);
  const reason = finishReason(attributes['llm.finish_reason']);
  const input =
    messagesOf(lists.get('llm.input_messages'), 'user') ?? completions(lists.get('llm.prompts'), 'prompt.text');
  const output =
    messagesOf(lists.get('llm.output_messages'), 'assistant') ??
    completions(lists.get('llm.choices'), 'completion.text');
  const schemas = lists.get('llm.tools')?.map((item) => item.get('tool.json_schema'));
  const tool = attributes['openinference.span.kind'] === 'TOOL' ? readTool(attributes) : undefined;
  return {
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(schemas === undefined ? {} : { toolDefinitions: toolDefinitions(schemas) }),
    ...(tool === undefined ? {} : { tool }),
    ...(reason === undefined ? {} : { finishReason: reason }),
  };
}

function messagesOf(items: readonly FlattenedItem[] | undefined, fallback: MessageRole): ReadMessage[] | undefined {
  return items === undefined ? undefined : decodeMessages(items.map(recordOf), fallback);
}

function recordOf(item: FlattenedItem): JsonRecord {
  const field = (name: string): unknown => item.get(`message.${name}`);
  const calls = nestedList(item, 'message.tool_calls').map(callOf);
  const parts = nestedList(item, 'message.contents').map(partOf);
  const functionName = field('function_call_name');
  const content = parts.length > 0 ? parts : field('content');
  return {
    role: field('role'),
    ...(content === undefined ? {} : { content }),
    name: field('name'),
    tool_call_id: field('tool_call_id'),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(typeof functionName === 'string'
      ? { function_call: { name: functionName, arguments: field('function_call_arguments_json') } }
      : {}),
  };
}

function callOf(item: FlattenedItem): JsonRecord {
  return {
    id: item.get('tool_call.id'),
    function: { name: item.get('tool_call.function.name'), arguments: item.get('tool_call.function.arguments') },
  };
}

function partOf(item: FlattenedItem): JsonRecord {
  const type = item.get('message_content.type');
  const text = item.get('message_content.text');
  if (type === 'tool_use' || item.has('tool_call.function.name')) return { ...callOf(item), type: 'tool_use' };
  if (type === 'reasoning') return { type: 'reasoning', text };
  if (type === 'text' || (type === undefined && text !== undefined)) return { type: 'text', text };
  return Object.fromEntries([['type', type ?? 'unknown'], ...item]);
}

/** Reads the text completions API, which has bare texts instead of messages. */
function completions(items: readonly FlattenedItem[] | undefined, key: string): ReadMessage[] | undefined {
  const role = key === 'prompt.text' ? 'user' : 'assistant';
  const texts = items?.map((item) => item.get(key)).filter((text) => typeof text === 'string');
  return texts === undefined || texts.length === 0 ? undefined : [{ role, content: joinTexts(role, texts) }];
}

function readTool(attributes: JsonRecord): ReadTool {
  const id = firstIdentifier(attributes, ['tool.id', 'tool_call.id', 'tool.call.id']);
  const given = attributes['input.value'] ?? attributes['tool_call.function.arguments'];
  const result = attributes['output.value'];
  const isJson = attributes['output.mime_type'] === 'application/json' && typeof result === 'string';
  return {
    name: firstIdentifier(attributes, ['tool.name', 'tool_call.function.name']) ?? '',
    ...(id === undefined ? {} : { id }),
    ...(given === undefined ? {} : { arguments: calledWith(toolArguments(given)) }),
    result: toolResultText(isJson ? (parseJson(result) ?? result) : result),
    hasResult: result !== undefined && result !== null,
  };
}

/**
 * Extracts a tool's arguments from an instrumented Python function, whose record describes how the function was called.
 */
export function calledWith(given: unknown): unknown {
  if (typeof given === 'string') return parsePythonLiteral(given) ?? given;
  if (!isRecord(given)) return given;
  if (isRecord(given.inputs)) return given.inputs;
  if (isRecord(given.kwargs) && Object.keys(given.kwargs).length > 0) return given.kwargs;
  if (Array.isArray(given.args) && given.args.length > 0) {
    const [first]: unknown[] = given.args;
    return given.args.length === 1 && isRecord(structured(first)) ? structured(first) : given.args;
  }
  if (isRecord(given.kwargs)) return {};
  return typeof given.input_str === 'string' ? calledWith(toolArguments(given.input_str)) : given;
}
