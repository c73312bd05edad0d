import { attachmentOf } from './attachments.ts';
import { isErrorResult, toolCallOf, toolResultText } from './tool-values.ts';
import type { ReadToolCall } from './span-reading.ts';
import { identifier, isRecord, wellFormed, type JsonRecord } from './values.ts';

export interface PartResult {
  id?: string;
  name?: string;
  content: string;
  isError: boolean;
}

/** Accumulated content of the parts of one message. */
export interface PartSink {
  texts: string[];
  reasoning: string[];
  toolCalls: ReadToolCall[];
  results: PartResult[];
  attachments: Record<string, unknown>[];
}

export function emptySink(): PartSink {
  return { texts: [], reasoning: [], toolCalls: [], results: [], attachments: [] };
}

type PartReader = (sink: PartSink, part: JsonRecord) => void;

const readText: PartReader = (sink, part) => {
  const text = part.content ?? part.text ?? part.refusal;
  if (typeof text === 'string') sink.texts.push(wellFormed(text));
  else if (isRecord(text) && typeof text.value === 'string') sink.texts.push(wellFormed(text.value));
};

const readReasoning: PartReader = (sink, part) => {
  const text = part.content ?? part.text ?? part.thinking ?? part.reasoning ?? summaryText(part.summary);
  if (typeof text === 'string' && text !== '') sink.reasoning.push(wellFormed(text));
};

const readToolCall: PartReader = (sink, part) => {
  sink.toolCalls.push(toolCallOf(part));
};

const readToolResult: PartReader = (sink, part) => {
  const id = identifier(
    part.id ?? part.toolCallId ?? part.tool_use_id ?? part.tool_call_id ?? part.call_id ?? part.toolUseId,
  );
  const name = identifier(part.name ?? part.toolName);
  const value = ['response', 'result', 'output', 'content'].map((key) => part[key]).find((item) => item !== undefined);
  sink.results.push({
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    content: toolResultText(value),
    isError: isErrorResult(part),
  });
};

/** Readers by part type, under the names that conventions and SDKs use; a type that is not listed is an attachment. */
const READERS: ReadonlyMap<string, PartReader> = new Map<string, PartReader>([
  ...['text', 'input_text', 'output_text', 'summary_text', 'refusal'].map((type) => [type, readText] as const),
  ...['reasoning', 'thinking', 'redacted_thinking'].map((type) => [type, readReasoning] as const),
  ...['tool_call', 'tool_use', 'tool-call', 'function_call', 'toolUse'].map((type) => [type, readToolCall] as const),
  ...['tool_call_response', 'tool_result', 'tool-result', 'function_call_output', 'tool_response', 'toolResult'].map(
    (type) => [type, readToolResult] as const,
  ),
]);

/** Adds one part of a message's content, in any dialect. */
export function addPart(sink: PartSink, part: unknown): void {
  if (typeof part === 'string') sink.texts.push(wellFormed(part));
  if (!isRecord(part)) return;
  const reader = typeof part.type === 'string' ? READERS.get(part.type) : undefined;
  if (reader !== undefined) reader(sink, part);
  else if (typeof part.type === 'string' || !addUntypedPart(sink, part)) sink.attachments.push(attachmentOf(part));
}

/** Adds a part without a type, as in Bedrock and Gemini: its field tells its kind. */
function addUntypedPart(sink: PartSink, part: JsonRecord): boolean {
  const call = part.toolUse ?? part.functionCall ?? part.function_call;
  const result = part.toolResult ?? part.functionResponse ?? part.function_response;
  if (isRecord(call)) readToolCall(sink, call);
  else if (isRecord(result)) readToolResult(sink, result);
  else if (isRecord(part.reasoningContent)) readReasoning(sink, unwrappedReasoning(part.reasoningContent));
  else if (typeof part.text === 'string') readText(sink, part);
  else return false;
  return true;
}

function unwrappedReasoning(content: JsonRecord): JsonRecord {
  return isRecord(content.reasoningText) ? content.reasoningText : content;
}

function summaryText(summary: unknown): string | undefined {
  if (!Array.isArray(summary)) return undefined;
  const texts = summary.map((item) => (isRecord(item) ? item.text : item)).filter((text) => typeof text === 'string');
  return texts.length === 0 ? undefined : texts.join('\n');
}
