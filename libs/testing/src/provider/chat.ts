import type { ChatRequest, ScriptedAnswer } from './answers.ts';

const CREATED = 1_700_000_000;

interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

/** Counts one token per word, which is good enough for a test. */
export function usageOf(request: Pick<ChatRequest, 'messages'>, text: string): Usage {
  const prompt = words(request.messages.map(({ content }) => JSON.stringify(content ?? '')).join(' '));
  const completion = words(text);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

function words(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

function toolCallsOf({ toolCalls = [] }: ScriptedAnswer) {
  return toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(given) },
  }));
}

function finishReasonOf({ finishReason, toolCalls }: ScriptedAnswer): string {
  return finishReason ?? (toolCalls === undefined ? 'stop' : 'tool_calls');
}

/** Builds the body of an answer that is not streamed. */
export function completionBody(request: ChatRequest, answer: ScriptedAnswer, id: string): unknown {
  const calls = toolCallsOf(answer);
  const message = {
    role: 'assistant',
    content: answer.text ?? null,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return {
    id,
    object: 'chat.completion',
    created: CREATED,
    model: request.model,
    choices: [{ index: 0, message, finish_reason: finishReasonOf(answer), logprobs: null }],
    usage: usageOf(request, answer.text ?? ''),
  };
}

/** Builds the data of the events of a streamed answer. */
export function completionChunks(request: ChatRequest, answer: ScriptedAnswer, id: string): string[] {
  const base = { id, object: 'chat.completion.chunk', created: CREATED, model: request.model };
  const chunk = (delta: object, finishReason: string | null = null) =>
    JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason: finishReason }] });
  const pieces = (answer.text ?? '').match(/\s*\S+\s*/g) ?? [];
  const calls = toolCallsOf(answer).flatMap((call, index) => [
    chunk({ tool_calls: [{ ...call, index, function: { name: call.function.name, arguments: '' } }] }),
    chunk({ tool_calls: [{ index, function: { arguments: call.function.arguments } }] }),
  ]);
  const wantsUsage = request.stream_options?.include_usage === true;
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces.map((content) => chunk({ content })),
    ...calls,
    chunk({}, finishReasonOf(answer)),
    ...(wantsUsage ? [JSON.stringify({ ...base, choices: [], usage: usageOf(request, answer.text ?? '') })] : []),
    '[DONE]',
  ];
}
