import type { Api } from '@clew/sdk';
import type { QuoteField } from '../text/marks.ts';
import { rangesIn, type Evidence } from './evidence.ts';

/** Text of a message as it is shown: one of its fields, or the name or the arguments of one of its tool calls. */
export interface ShownField {
  readonly field: QuoteField | 'tool' | 'error';
  /** Number of the tool call; 0 for other fields. */
  readonly part: number;
  readonly text: string;
}

/** Texts of a message in the order in which they are shown. */
export function shownFields(message: Api.ConversationMessage, evidence: readonly Evidence[]): ShownField[] {
  const { reasoning = '', content, toolCalls = [], error } = message;
  return [
    ...(reasoning === '' ? [] : [{ field: 'reasoning', part: 0, text: reasoning } as const]),
    ...(content === '' ? [] : [{ field: 'content', part: 0, text: content } as const]),
    ...toolCalls.flatMap((call, part) => [
      { field: 'tool' as const, part, text: call.name },
      { field: 'arguments' as const, part, text: argumentsText(call, message.index, evidence) },
    ]),
    ...(error === undefined ? [] : [{ field: 'error', part: 0, text: errorText(error) } as const]),
  ];
}

export function errorText({ type, message }: NonNullable<Api.ConversationMessage['error']>): string {
  return `${type}: ${message}`;
}

/** Arguments of a tool call: as the JSON text in which quotes stand if there are any, else in lines. */
export function argumentsText(call: Api.ToolCall, messageIndex: number, evidence: readonly Evidence[]): string {
  if (typeof call.arguments === 'string') return call.arguments;
  const compact = JSON.stringify(call.arguments ?? {});
  const isQuoted = rangesIn(compact, messageIndex, 'arguments', evidence).length > 0;
  return isQuoted ? compact : JSON.stringify(call.arguments ?? {}, null, 2);
}
