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
  /** As the model wrote them, which need not be JSON. */
  arguments: string;
}

/** What was seen of an answer while it passed. */
export interface ObservedAnswer {
  responseId: string | undefined;
  responseModel: string | undefined;
  finishReason: string | undefined;
  usage: TokenUsage | undefined;
  content: string;
  reasoning: string;
  toolCalls: ObservedToolCall[];
  /** The content was longer than what is kept of it. */
  truncated: boolean;
}

/** More of an answer than this is passed on and not remembered. */
const MAX_KEPT_LENGTH = 1024 * 1024;
const MAX_TOOL_CALLS = 128;

/** Gathers an answer from its body, or from the chunks of its stream. Of several choices, the first is remembered. */
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

  /** A whole body, or one chunk of a stream. */
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
    // Streams give the name once, and some servers again with every piece of the arguments.
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
    // Transcriptions count under the second names.
    inputTokens: countOf(value['prompt_tokens']) ?? countOf(value['input_tokens']) ?? 0,
    outputTokens: countOf(value['completion_tokens']) ?? countOf(value['output_tokens']) ?? 0,
    cacheReadTokens: countOf(details('prompt_tokens_details')['cached_tokens']),
    reasoningTokens: countOf(details('completion_tokens_details')['reasoning_tokens']),
  };
}
