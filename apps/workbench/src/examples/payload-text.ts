import type { Api } from '@clew/sdk';

type Content = Api.ExampleMessage['content'];
type ToolCalls = NonNullable<Api.ExampleMessage['toolCalls']>;

export const SPLITS = ['train', 'validation', 'test'] as const;
export type Split = (typeof SPLITS)[number];

/** Beginning of the tags that name a split. */
const SPLIT_TAG = 'split:';

/** Tag with which an Example is put into a split. */
export function splitTag(split: Split): string {
  return `${SPLIT_TAG}${split}`;
}

/** Split that the tags of an Example name; of several, the strictest, as an export has it. */
export function splitOf(tags: readonly string[]): Split | undefined {
  return (['test', 'validation', 'train'] as const).find((split) => tags.includes(splitTag(split)));
}

/** Tags without those that name a split. */
export function withoutSplits(tags: readonly string[]): string[] {
  return tags.filter((tag) => !SPLITS.some((split) => tag === splitTag(split)));
}

/** Text of a message: its words, and a mark for each part that is none. */
export function contentText(content: Content): string {
  if (content === null) return '';
  if (typeof content === 'string') return content;
  return content.map((part) => (typeof part['text'] === 'string' ? part['text'] : `[${partName(part)}]`)).join('\n');
}

function partName({ type }: Readonly<Record<string, unknown>>): string {
  return typeof type === 'string' ? type : 'part';
}

/** Tool calls as lines of text, `name(arguments)`. */
export function toolCallsText(calls: ToolCalls | undefined): string {
  return (calls ?? [])
    .map(({ name, arguments: given }) => `${name}(${typeof given === 'string' ? given : JSON.stringify(given)})`)
    .join('\n');
}

/** Text of a message with its tool calls below. */
export function messageText({ content, toolCalls }: Pick<Api.ExampleMessage, 'content' | 'toolCalls'>): string {
  return [contentText(content), toolCallsText(toolCalls)].filter((text) => text !== '').join('\n');
}

/** Words for which an Example is known in lists: the last of the user, else the last there are. */
export function inputText(input: Api.ExampleInput): string {
  switch (input.type) {
    case 'chat': {
      const message = input.messages.findLast(({ role }) => role === 'user') ?? input.messages.at(-1);
      return message === undefined ? '' : messageText(message);
    }
    case 'prompt':
      return input.prompt;
    case 'instruction':
      return input.instruction;
    case 'text':
      return input.text;
    case 'json':
      return JSON.stringify(input.value) ?? '';
  }
}

/** Text of an output; empty where there is none. */
export function outputText(output: Api.ExampleOutput | undefined): string {
  switch (output?.type) {
    case undefined:
      return '';
    case 'chat_message':
      return messageText(output.message);
    case 'text':
      return output.text;
    case 'classification':
      return output.label;
    case 'json':
      return JSON.stringify(output.value, null, 2) ?? '';
  }
}

/** Criteria of a rubric as lines, with its scores. */
export function rubricText(rubric: Api.ExampleRubric | undefined): string {
  if (rubric === undefined) return '';
  const { criteria, scoring = [] } = rubric;
  const lines = typeof criteria === 'string' ? [criteria] : criteria.map((each) => `- ${each}`);
  const scores = scoring.map(
    ({ label, score, description }) => `${label}: ${score}${description === undefined ? '' : ` (${description})`}`,
  );
  return [...lines, ...scores].join('\n');
}
