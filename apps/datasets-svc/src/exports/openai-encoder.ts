import type { ExampleMessage, ExamplePayload } from '@clew/contracts';
import { contentOf } from '../examples/index.ts';
import type { ExportEncoder } from './export-encoder.ts';
import { JSONL } from './jsonl-encoder.ts';

type Input = ExamplePayload['input'];
type Output = NonNullable<ExamplePayload['expectedOutput']>;

/** Supervised fine-tuning format of OpenAI: input and expected output. */
export const fineTuningEncoder: ExportEncoder = {
  ...JSONL,
  encode(example) {
    const { input, expectedOutput } = contentOf(example).payload;
    if (expectedOutput === undefined) return undefined;
    return line({ messages: [...messagesOf(input), answerOf(expectedOutput)], ...offersOf(input) });
  },
};

/** Preference fine-tuning format of OpenAI: input, expected output and rejected output. */
export const preferenceEncoder: ExportEncoder = {
  ...JSONL,
  encode(example) {
    const { input, expectedOutput, rejectedOutput } = contentOf(example).payload;
    if (expectedOutput === undefined || rejectedOutput === undefined) return undefined;
    return line({
      input: { messages: messagesOf(input), ...offersOf(input) },
      preferred_output: [answerOf(expectedOutput)],
      non_preferred_output: [answerOf(rejectedOutput)],
    });
  },
};

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function messagesOf(input: Input): unknown[] {
  switch (input.type) {
    case 'chat':
      return input.messages.map(toOpenAi);
    case 'prompt':
      return [...(input.system === undefined ? [] : [{ role: 'system', content: input.system }]), user(input.prompt)];
    case 'instruction':
      return [user(input.context === undefined ? input.instruction : `${input.instruction}\n\n${input.context}`)];
    case 'text':
      return [user(input.text)];
    case 'json':
      return [user(JSON.stringify(input.value))];
  }
}

function user(content: string): object {
  return { role: 'user', content };
}

function offersOf(input: Input): object {
  if (input.type !== 'chat') return {};
  const { tools, parallelToolCalls } = input;
  return {
    ...(tools === undefined ? {} : { tools }),
    ...(parallelToolCalls === undefined ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
}

function answerOf(output: Output): unknown {
  switch (output.type) {
    case 'chat_message':
      return toOpenAi(output.message);
    case 'text':
      return assistant(output.text);
    case 'classification':
      return assistant(output.label);
    case 'json':
      return assistant(JSON.stringify(output.value));
  }
}

function assistant(content: string): object {
  return { role: 'assistant', content };
}

function toOpenAi({ role, content, name, toolCalls, toolCallId }: Partial<ExampleMessage>): object {
  return {
    role,
    content,
    ...(name === undefined ? {} : { name }),
    ...(toolCalls === undefined ? {} : { tool_calls: toolCalls.map(toToolCall) }),
    ...(toolCallId === undefined ? {} : { tool_call_id: toolCallId }),
  };
}

function toToolCall({ id, name, arguments: given }: NonNullable<ExampleMessage['toolCalls']>[number]): object {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  return { ...(id === undefined ? {} : { id }), type: 'function', function: { name, arguments: text } };
}
