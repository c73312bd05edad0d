import type { SnapshotMessage, ToolDefinition } from '@clew/contracts';
import { foldedText, mentionedIn, namesOnlyGiven, quotedWords, type QuotedWords } from '@clew/knowledge';
import { textsOf } from '@clew/review';
import { jsonLeaves } from '@clew/rules';
import type { SaidMessage } from '../example-messages.ts';
import { isAddressed, plainTools } from './addressed.ts';
import { datesInWords } from './dates-in-words.ts';
import { plainClaims, plainNumbers } from './plain-claims.ts';

/** All that a response may rest on. */
export interface Known {
  messages: readonly SnapshotMessage[];
  tools: readonly ToolDefinition[];
}

/**
 * Tells whether a response says only what was known, apart from messages and tools that speak to their readers: its
 * numbers and names, those of its arguments included, occur there (the checks of Knowledge), and so does each argument
 * that is a single word, such as an id.
 */
export function isGrounded({ content, toolCalls = [] }: SaidMessage, { messages, tools }: Known): boolean {
  const trusted = messages.filter((message) => !isAddressed(message));
  const texts = trusted.flatMap((message) => textsOf(message).map((text) => ({ text, message })));
  const given: QuotedWords[] = [
    ...texts.map(({ text, message }) => quotedWords(plainNumbers(text), message)),
    ...texts.map(({ text }) => ({ text: datesInWords(text) })).filter(({ text }) => text !== ''),
    ...plainTools(tools).map((tool) => ({ text: plainNumbers(JSON.stringify(tool)) })),
  ];
  const args = toolCalls
    .flatMap((call) => jsonLeaves(call.arguments))
    .flatMap(({ value }) => (typeof value === 'boolean' ? [] : [String(value).trim()]));
  // One check of all texts, since it reads all that was given: each text is a sentence of its own.
  const claims = [content, ...args].map(plainClaims).join('. ');
  return (
    namesOnlyGiven(
      claims,
      given,
      once(() => mentionedIn(trusted, () => false)),
    ) && areGiven(args, given)
  );
}

/** Tells whether arguments of a single word occur in what was given, whatever the marks around them. */
function areGiven(args: readonly string[], given: readonly QuotedWords[]): boolean {
  const words = args
    .filter((text) => !/\s/.test(text))
    .flatMap((text) => foldedText(text).match(/[\p{L}\p{N}]{1,100}/gu) ?? []);
  // Numbers have been checked in all of their forms.
  const named = words.filter((word) => /\p{L}/u.test(word));
  if (named.length === 0) return true;
  const all = given.map(({ text }) => foldedText(text)).join('\n');
  return named.every((word) => all.includes(word));
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
