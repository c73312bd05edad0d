import type { ToolDefinition } from '@clew/contracts';
import { measureJson } from '@clew/kernel';
import { MAX_ARGUMENT_VALUES, MAX_ARGUMENT_VALUES_OF_SPAN, MAX_JSON_DEPTH } from './limits.ts';
import type { ReadToolCall } from './span-reading.ts';
import {
  boundedValue,
  canonicalText,
  identifier,
  isBeyond,
  isRecord,
  parseJson,
  wellFormed,
  type JsonRecord,
} from './values.ts';

/**
 * Remaining number of argument values that may be parsed. Module state is safe here, because reading one span is
 * synchronous.
 */
let valuesLeft = Infinity;

/** Reads a span with a limit on the values parsed from its calls' arguments; the rest stays text. */
export function withBoundedArguments<Result>(read: () => Result): Result {
  valuesLeft = MAX_ARGUMENT_VALUES_OF_SPAN;
  try {
    return read();
  } finally {
    valuesLeft = Infinity;
  }
}

/**
 * Parses the arguments of a tool call: JSON text, also JSON text inside JSON text, is parsed; other text stays; no
 * value becomes the empty object. A call without parameters is recorded in all these ways.
 */
export function toolArguments(value: unknown): unknown {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'string') return boundedArguments(value);
  if (value.trim() === '') return {};
  const most = Math.min(MAX_ARGUMENT_VALUES, valuesLeft);
  // A shorter text cannot contain as many values.
  const isTooMuch = value.length > most && measureJson(value).valueCount > most;
  const parsed = isTooMuch ? undefined : parseJson(value);
  return parsed === undefined ? wellFormed(value) : toolArguments(parsed);
}

function boundedArguments(value: unknown): unknown {
  const most = Math.min(MAX_ARGUMENT_VALUES, valuesLeft);
  const left = { values: most };
  if (isBeyond(value, MAX_JSON_DEPTH, left)) return canonicalText(value);
  valuesLeft -= most - left.values;
  return value;
}

/** Reads a tool call with any of the field names that SDKs use. */
export function toolCallOf(record: JsonRecord): ReadToolCall {
  const called = [record.function, record.functionCall, record.function_call].find(isRecord);
  const name = [called?.name, record.name, record.toolName, record.tool_name].find((item) => typeof item === 'string');
  const given = [called?.arguments, called?.args, record.arguments, record.args, record.input, record.parameters].find(
    (item) => item !== undefined,
  );
  const id = identifier(record.id ?? record.toolCallId ?? record.tool_call_id ?? record.call_id ?? record.toolUseId);
  return {
    ...(id === undefined ? {} : { id }),
    name: wellFormed((name as string) ?? ''),
    arguments: toolArguments(given),
  };
}

/**
 * Text of a tool's result. Text stays text, content parts give their text, and any other value becomes canonical JSON.
 * No value becomes the empty text.
 */
export function toolResultText(value: unknown): string {
  if (typeof value === 'string') return wellFormed(value);
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) {
    const texts = value.map(partText);
    return value.length > 0 && texts.every((text) => text !== undefined) ? texts.join('\n') : canonicalText(value);
  }
  if (!isRecord(value)) return String(value as number | boolean);
  const inner = enveloped(value);
  return inner === undefined ? canonicalText(value) : toolResultText(inner.content);
}

/** Tells whether the result itself reports that the tool failed. */
export function isErrorResult(record: JsonRecord): boolean {
  if (record.is_error === true || record.isError === true || record.status === 'error') return true;
  return isRecord(record.output) && (record.output.type === 'error-text' || record.output.type === 'error-json');
}

function partText(part: unknown): string | undefined {
  if (!isRecord(part)) return undefined;
  const type = part.type;
  if (type !== undefined && type !== 'text' && type !== 'input_text' && type !== 'output_text') return undefined;
  const text = part.text ?? (type === undefined ? undefined : part.content);
  if (typeof text === 'string') return wellFormed(text);
  return type === undefined && part.json !== undefined ? canonicalText(part.json) : undefined;
}

/** Unwraps the envelopes that SDKs put around a result: typed outputs, tool messages, MCP call results. */
function enveloped(value: JsonRecord): { content: unknown } | undefined {
  switch (value.type) {
    case 'text':
    case 'json':
    case 'content':
    case 'error-text':
    case 'error-json':
      return Object.hasOwn(value, 'value') ? { content: value.value } : undefined;
    case 'tool':
      return Object.hasOwn(value, 'content')
        ? { content: value.content }
        : isRecord(value.data)
          ? enveloped({ ...value.data, type: 'tool' })
          : undefined;
    case 'constructor':
      return isRecord(value.kwargs) && Object.hasOwn(value.kwargs, 'content')
        ? { content: value.kwargs.content }
        : undefined;
    default:
  }
  const isToolMessage = typeof value.tool_call_id === 'string' && Object.hasOwn(value, 'content');
  const isMcpResult = Array.isArray(value.content) && value.content.every((part) => partText(part) !== undefined);
  return isToolMessage || (isMcpResult && Object.keys(value).every((key) => MCP_RESULT_KEYS.has(key)))
    ? { content: value.content }
    : undefined;
}

const MCP_RESULT_KEYS: ReadonlySet<string> = new Set(['content', 'isError', 'structuredContent', '_meta', 'meta']);

/** Reads the offered tools from the definitions of any provider; an entry without a name is not a tool. */
export function toolDefinitions(value: unknown): ToolDefinition[] {
  const list = Array.isArray(value) ? value : [];
  return list.flatMap((item) => {
    const record = typeof item === 'string' ? parseJson(item) : item;
    return isRecord(record) ? toolDefinitionOf(record) : [];
  });
}

function toolDefinitionOf(record: JsonRecord): ToolDefinition[] {
  // One entry of Gemini's form declares several functions.
  const declared = record.functionDeclarations ?? record.function_declarations;
  if (Array.isArray(declared)) return toolDefinitions(declared);
  const tool = [record.function, record.toolSpec].find(isRecord) ?? record;
  if (typeof tool.name !== 'string' || tool.name === '') return [];
  const parameters = [tool.parameters, tool.inputSchema, tool.input_schema].find((item) => item !== undefined) ?? null;
  return [
    {
      name: wellFormed(tool.name),
      ...(typeof tool.description === 'string' ? { description: wellFormed(tool.description) } : {}),
      parameters: boundedValue(typeof parameters === 'string' ? (parseJson(parameters) ?? parameters) : parameters),
    },
  ];
}
