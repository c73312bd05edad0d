import { countOf, isRecord, textOf, type JsonRecord } from './values.ts';

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number | undefined;
  reasoningTokens: number | undefined;
}

export interface ObservedToolCall {
  id: string | undefined;
  name: string;
  /** Arguments as the model wrote them; they may be invalid JSON. */
  arguments: string;
}

/** Data observed in an answer while it passed through. */
export interface ObservedAnswer {
  responseId: string | undefined;
  responseModel: string | undefined;
  finishReason: string | undefined;
  usage: TokenUsage | undefined;
  content: string;
  reasoning: string;
  toolCalls: ObservedToolCall[];
  /** True if the content was longer than the part that is kept. */
  truncated: boolean;
}

/** Maximum length kept of an answer; the rest is passed on but not kept. */
const MAX_KEPT_LENGTH = 1024 * 1024;
const MAX_TOOL_CALLS = 128;

/**
 * Collects an answer from its body, or from the chunks of its stream. If there are several choices, the first is kept.
 */
export class AnswerObserver {
  readonly answer: ObservedAnswer = {
    responseId: undefined,
    responseModel: undefined,
    finishReason: undefined,
    usage: undefined,
    content: '',
    reasoning: '',
    toolCalls: [],
    truncated: false,
  };
  #kept = 0;

  /** Observes a whole body, or one chunk of a stream. */
  see(body: unknown): void {
    if (!isRecord(body)) return;
    const { answer } = this;
    answer.responseId ??= textOf(body['id']);
    answer.responseModel ??= textOf(body['model']);
    answer.usage = usageIn(body['usage']) ?? answer.usage;
    const choices = Array.isArray(body['choices']) ? (body['choices'] as unknown[]) : [];
    for (const choice of choices) if (isRecord(choice) && (choice['index'] ?? 0) === 0) this.#seeChoice(choice);
  }

  #seeChoice(choice: JsonRecord): void {
    const { answer } = this;
    answer.finishReason = textOf(choice['finish_reason']) ?? answer.finishReason;
    answer.content += this.#keep(textOf(choice['text']));
    const message = choice['message'] ?? choice['delta'];
    if (!isRecord(message)) return;
    answer.content += this.#keep(textOf(message['content']) ?? textOf(message['refusal']));
    answer.reasoning += this.#keep(textOf(message['reasoning_content']) ?? textOf(message['reasoning']));
    const calls = Array.isArray(message['tool_calls']) ? (message['tool_calls'] as unknown[]) : [];
    for (const [position, call] of calls.entries()) if (isRecord(call)) this.#seeToolCall(call, position);
  }

  #seeToolCall(call: JsonRecord, position: number): void {
    const index = countOf(call['index']) ?? position;
    if (index >= MAX_TOOL_CALLS) return;
    const { toolCalls } = this.answer;
    while (toolCalls.length <= index) toolCalls.push({ id: undefined, name: '', arguments: '' });
    const known = toolCalls[index] as ObservedToolCall;
    known.id ??= textOf(call['id']);
    const called = call['function'];
    if (!isRecord(called)) return;
    // Streams give the name once; some servers repeat it with every piece of the arguments.
    if (known.name === '') known.name = textOf(called['name']) ?? '';
    known.arguments += this.#keep(textOf(called['arguments']));
  }

  #keep(text: string | undefined): string {
    if (text === undefined) return '';
    const room = MAX_KEPT_LENGTH - this.#kept;
    if (text.length > room) this.answer.truncated = true;
    const kept = text.slice(0, room);
    this.#kept += kept.length;
    return kept;
  }
}

function usageIn(value: unknown): TokenUsage | undefined {
  if (!isRecord(value)) return undefined;
  const details = (name: string) => (isRecord(value[name]) ? (value[name] as JsonRecord) : {});
  return {
    // Transcriptions count under the alternative names.
    inputTokens: countOf(value['prompt_tokens']) ?? countOf(value['input_tokens']) ?? 0,
    outputTokens: countOf(value['completion_tokens']) ?? countOf(value['output_tokens']) ?? 0,
    cacheReadTokens: countOf(details('prompt_tokens_details')['cached_tokens']),
    reasoningTokens: countOf(details('completion_tokens_details')['reasoning_tokens']),
  };
}
