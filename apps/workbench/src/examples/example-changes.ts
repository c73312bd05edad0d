import type { Api } from '@clew/sdk';
import { messageText, outputText, rubricText } from './payload-text.ts';

/** Parts of an Example that are compared. */
export type Comparable = Pick<Api.Example, 'payload' | 'tags' | 'source'>;

/** Difference of two versions of an Example in one place; a text is empty where there is nothing. */
export interface PartChange {
  readonly label: string;
  readonly change: 'added' | 'updated' | 'removed';
  readonly before: string;
  readonly after: string;
}

/** Compares two versions of an Example, message by message. */
export function exampleChanges(before: Comparable, after: Comparable): PartChange[] {
  return [
    ...inputChanges(before.payload.input, after.payload.input),
    ...partChange('Expected', shownOutput(before.payload.expectedOutput), shownOutput(after.payload.expectedOutput)),
    ...partChange('Rejected', shownOutput(before.payload.rejectedOutput), shownOutput(after.payload.rejectedOutput)),
    ...partChange('Rubric', rubricText(before.payload.rubric), rubricText(after.payload.rubric)),
    ...partChange('Tags', before.tags.join('\n'), after.tags.join('\n')),
    ...partChange('Source', json(before.source), json(after.source)),
  ];
}

/** All that an Example says, as what was added or removed with it. */
export function wholeExample({ payload, tags }: Comparable, change: 'added' | 'removed'): PartChange[] {
  const { input, expectedOutput, rejectedOutput, rubric } = payload;
  const parts: readonly (readonly [string, string])[] = [
    ...(input.type === 'chat'
      ? input.messages.map((message, at) => [`Message ${at + 1}, ${message.role}`, bodyOf(message)] as const)
      : Object.keys(input).map((name) => [`Input, ${name}`, memberText(input, name)] as const)),
    ['Expected', shownOutput(expectedOutput)],
    ['Rejected', shownOutput(rejectedOutput)],
    ['Rubric', rubricText(rubric)],
    ['Tags', tags.join('\n')],
  ];
  return parts
    .filter(([, text]) => text !== '')
    .map(([label, text]) =>
      change === 'added' ? { label, change, before: '', after: text } : { label, change, before: text, after: '' },
    );
}

function partChange(label: string, before: string, after: string): PartChange[] {
  if (before === after) return [];
  return [{ label, change: before === '' ? 'added' : after === '' ? 'removed' : 'updated', before, after }];
}

function shownOutput(output: Api.ExampleOutput | undefined): string {
  if (output?.type !== 'chat_message' || output.message.name === undefined) return outputText(output);
  return `${output.message.name}:\n${outputText(output)}`;
}

function inputChanges(before: Api.ExampleInput, after: Api.ExampleInput): PartChange[] {
  if (before.type !== 'chat' || after.type !== 'chat') {
    return before.type === after.type
      ? Object.keys({ ...before, ...after }).flatMap((name) =>
          partChange(`Input, ${name}`, memberText(before, name), memberText(after, name)),
        )
      : [{ label: 'Input', change: 'updated', before: json(before), after: json(after) }];
  }
  return [
    ...messageChanges(before.messages, after.messages),
    ...partChange('Tools', json(before.tools), json(after.tools)),
    ...partChange('Parallel tool calls', json(before.parallelToolCalls), json(after.parallelToolCalls)),
  ];
}

function memberText(value: object, name: string): string {
  const member = (value as Record<string, unknown>)[name];
  return typeof member === 'string' ? member : json(member);
}

type Message = Api.ExampleMessage;

/** Compares lists of messages: what both begin and end with is the same, and what is between is paired in order. */
function messageChanges(before: readonly Message[], after: readonly Message[]): PartChange[] {
  const most = Math.min(before.length, after.length);
  const same = (at: number, other: number) => json(before[at]) === json(after[other]);
  let start = 0;
  while (start < most && same(start, start)) start += 1;
  let end = 0;
  while (end < most - start && same(before.length - 1 - end, after.length - 1 - end)) end += 1;
  const olds = before.slice(start, before.length - end);
  const news = after.slice(start, after.length - end);
  return Array.from({ length: Math.max(olds.length, news.length) }, (_, at) => at).flatMap((at) => {
    const [old, now] = [olds[at], news[at]];
    return json(old) === json(now) ? [] : [messageChange(start + at, old, now)];
  });
}

function messageChange(at: number, old: Message | undefined, now: Message | undefined): PartChange {
  const label = `Message ${at + 1}, ${(now ?? old)?.role ?? ''}`;
  if (old === undefined || now === undefined) {
    const change = old === undefined ? 'added' : 'removed';
    return { label, change, before: bodyOf(old), after: bodyOf(now) };
  }
  // A change of the role, a name or an id shows in the heads of both.
  const shown = (message: Message) =>
    headOf(old) === headOf(now) ? bodyOf(message) : `${headOf(message)}\n${bodyOf(message)}`;
  return { label, change: 'updated', before: shown(old), after: shown(now) };
}

function headOf({ role, name, toolCallId }: Message): string {
  return [role, name, toolCallId].filter((part) => part !== undefined).join(' ');
}

function bodyOf(message: Message | undefined): string {
  return message === undefined ? '' : messageText(message);
}

function json(value: unknown): string {
  return value === undefined ? '' : (JSON.stringify(value) ?? '');
}
