import { decodeMessages, decodeToolCalls } from './chat-message.ts';
import { finishReason } from './finish-reason.ts';
import type { ReadMessage, ReadTool, SpanContent } from './span-reading.ts';
import { toolArguments, toolDefinitions, toolResultText } from './tool-values.ts';
import { canonicalText, identifier, isRecord, structured, wellFormed, type JsonRecord } from './values.ts';

/** Operation of a Vercel AI SDK span; in `operation.name` the function id follows it. */
export function vercelOperation(attributes: JsonRecord): string | undefined {
  const operation = attributes['ai.operationId'] ?? attributes['operation.name'];
  return typeof operation === 'string' && operation.startsWith('ai.') ? operation.split(' ', 1)[0] : undefined;
}

/**
 * Reads the Vercel AI SDK: `ai.prompt.messages` and `ai.response.*` on the model's own spans
 * (`ai.generateText.doGenerate`), `ai.prompt` on the outer ones that repeat the content, `ai.toolCall.*` on tools. All
 * structure is JSON text.
 */
export function readVercel(attributes: JsonRecord): SpanContent {
  if (vercelOperation(attributes) === 'ai.toolCall') return { tool: readTool(attributes) };
  const messages = structured(attributes['ai.prompt.messages']);
  const input = Array.isArray(messages) ? decodeMessages(messages, 'user') : outerInput(attributes);
  const output = readOutput(attributes);
  const definitions = structured(attributes['ai.prompt.tools']);
  const reason = finishReason(attributes['ai.response.finishReason'] ?? attributes['ai.finishReason']);
  return {
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(definitions === undefined ? {} : { toolDefinitions: toolDefinitions(definitions) }),
    ...(reason === undefined ? {} : { finishReason: reason }),
  };
}

/** Reads the prompt as the application gave it: `{system?, prompt?, messages?}`. */
function outerInput(attributes: JsonRecord): ReadMessage[] | undefined {
  const given = structured(attributes['ai.prompt']);
  if (!isRecord(given)) return undefined;
  const asked = given.messages ?? given.prompt;
  return [
    ...(given.system === undefined || given.system === null ? [] : decodeMessages(given.system, 'system')),
    ...(asked === undefined || asked === null ? [] : decodeMessages(asked, 'user')),
  ];
}

function readOutput(attributes: JsonRecord): ReadMessage[] | undefined {
  // The second names are those of the SDK before version 4.
  const text = attributes['ai.response.text'] ?? attributes['ai.result.text'];
  const object = attributes['ai.response.object'] ?? attributes['ai.result.object'];
  const calls = structured(attributes['ai.response.toolCalls'] ?? attributes['ai.result.toolCalls']);
  const reasoning = attributes['ai.response.reasoning'];
  const toolCalls = Array.isArray(calls) ? decodeToolCalls(calls) : [];
  if (text === undefined && object === undefined && toolCalls.length === 0) return undefined;
  const content = text ?? (typeof object === 'string' || object === undefined ? object : canonicalText(object));
  return [
    {
      role: 'assistant',
      content: typeof content === 'string' ? wellFormed(content) : '',
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
      ...(typeof reasoning === 'string' && reasoning !== '' ? { reasoning: wellFormed(reasoning) } : {}),
    },
  ];
}

function readTool(attributes: JsonRecord): ReadTool {
  const id = identifier(attributes['ai.toolCall.id']);
  const given = attributes['ai.toolCall.args'];
  const result = attributes['ai.toolCall.result'];
  return {
    name: identifier(attributes['ai.toolCall.name']) ?? '',
    ...(id === undefined ? {} : { id }),
    ...(given === undefined ? {} : { arguments: toolArguments(given) }),
    result: toolResultText(structured(result) ?? result),
    hasResult: result !== undefined && result !== null,
  };
}
