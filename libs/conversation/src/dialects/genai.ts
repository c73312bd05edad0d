import type { ToolDefinition } from '@clew/contracts';
import { decodeMessage, decodeMessages, looksLikeMessage } from './chat-message.ts';
import { finishReason } from './finish-reason.ts';
import type { ReadMessage, ReadTool, SpanContent } from './span-reading.ts';
import { toolArguments, toolDefinitions, toolResultText } from './tool-values.ts';
import { firstIdentifier, identifier, isRecord, parseJson, structured, wellFormed, type JsonRecord } from './values.ts';

/**
 * Reads OpenTelemetry GenAI: content in attributes, structured or as JSON text. A span, a span event and a log record
 * (`gen_ai.client.inference.operation.details`) have the same attributes.
 */
export function readGenAi(attributes: JsonRecord): SpanContent {
  const input = structured(attributes['gen_ai.input.messages']);
  const output = structured(attributes['gen_ai.output.messages']);
  const system = attributes['gen_ai.system_instructions'];
  const definitions = offeredTools(attributes['gen_ai.tool.definitions']);
  const tool = readTool(attributes);
  const reason = finishReason(attributes['gen_ai.response.finish_reasons']);
  return {
    ...(system === undefined ? {} : { system: systemMessages(system) }),
    ...(isContent(input) ? { input: decodeMessages(input, 'user') } : {}),
    ...(isContent(output) ? { output: decodeMessages(output, 'assistant') } : {}),
    ...(definitions === undefined ? {} : { toolDefinitions: definitions }),
    ...(tool === undefined ? {} : { tool }),
    ...(reason === undefined ? {} : { finishReason: reason }),
  };
}

/**
 * Cache of the last parsed tool definitions: consecutive calls of an agent offer the same tools as the same long text.
 */
let latest: { text: string; tools: ToolDefinition[] } | undefined;

function offeredTools(given: unknown): ToolDefinition[] | undefined {
  if (typeof given === 'string' && given === latest?.text) return latest.tools;
  const definitions = structured(given);
  if (definitions === undefined) return undefined;
  const tools = toolDefinitions(definitions);
  if (typeof given === 'string') latest = { text: given, tools };
  return tools;
}

function isContent(value: unknown): boolean {
  return Array.isArray(value) || isRecord(value);
}

/** Decodes system instructions; each text part is one system message, as in a chat history. */
export function systemMessages(value: unknown): ReadMessage[] {
  const parsed = typeof value === 'string' ? (parseJson(value) ?? value) : value;
  const parts: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  return parts.flatMap((part) => {
    if (typeof part === 'string') return [{ role: 'system' as const, content: wellFormed(part) }];
    if (!isRecord(part)) return [];
    return decodeMessage(looksLikeMessage(part) ? part : { parts: [part] }, 'system');
  });
}

const TOOL_KEYS = ['gen_ai.tool.name', 'gen_ai.tool.call.id', 'gen_ai.tool.call.result', 'gen_ai.tool.call.arguments'];

function readTool(attributes: JsonRecord): ReadTool | undefined {
  if (!TOOL_KEYS.some((key) => Object.hasOwn(attributes, key))) return undefined;
  const id = identifier(attributes['gen_ai.tool.call.id']);
  // The second names are those of earlier instrumentations.
  const given = attributes['gen_ai.tool.call.arguments'] ?? attributes.tool_arguments;
  const result = attributes['gen_ai.tool.call.result'] ?? attributes.tool_response;
  return {
    name: firstIdentifier(attributes, ['gen_ai.tool.name']) ?? '',
    ...(id === undefined ? {} : { id }),
    ...(given === undefined ? {} : { arguments: toolArguments(given) }),
    result: toolResultText(unquoted(result)),
    hasResult: result !== undefined && result !== null,
  };
}

/** Unquotes a text result that some exporters write as a JSON string; other JSON text is the result itself. */
export function unquoted(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('"') || !value.endsWith('"')) return value;
  const parsed = parseJson(value);
  return typeof parsed === 'string' ? parsed : value;
}
