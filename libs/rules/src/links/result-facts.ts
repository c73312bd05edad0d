import type { ConversationMessage } from '@clew/contracts';
import { tokensOf } from '../text/sentences.ts';
import type { ConversationView } from '../view/conversation-view.ts';
import { jsonLeaves } from '../values/json-leaves.ts';

/** Number in a tool's result, with the words of its key. */
export interface NumberFact {
  readonly message: ConversationMessage;
  readonly path: string;
  /** Words of its own key: `total_price` gives `total` and `price`. */
  readonly words: readonly string[];
  readonly number: number;
}

/** List in a tool's result, with its length. */
export interface ListFact {
  readonly message: ConversationMessage;
  /** Words of its key; empty if the result itself is the list. */
  readonly words: readonly string[];
  readonly length: number;
}

export interface ResultFacts {
  readonly numbers: readonly NumberFact[];
  readonly lists: readonly ListFact[];
}

const MAX_FACTS = 4000;
const MAX_DEPTH = 6;
const MAX_KEY_LENGTH = 100;

/** Extracts the numbers and lists from a tool's result, if it is JSON. */
export function factsOf(view: ConversationView, message: ConversationMessage): ResultFacts {
  const json = view.json(message);
  const numbers: NumberFact[] = [];
  const lists: ListFact[] = [];
  if (json === undefined) return { numbers, lists };
  for (const { key, path, value } of jsonLeaves(json)) {
    if (numbers.length >= MAX_FACTS) break;
    const number = typeof value === 'number' ? value : amountIn(value);
    if (number !== undefined) numbers.push({ message, path, words: keyWords(key), number });
  }
  collectLists(json, [], 0, message, lists);
  return { numbers, lists };
}

const MAX_KNOWN_KEYS = 2_000;
const knownKeys = new Map<string, readonly string[]>();

/** Splits a key into words, in any notation; plurals lose their `s`. All records of a list have the same keys. */
export function keyWords(key: string): readonly string[] {
  const known = knownKeys.get(key);
  if (known !== undefined) return known;
  const words = wordsOfKey(key);
  if (knownKeys.size >= MAX_KNOWN_KEYS) knownKeys.clear();
  if (key.length <= MAX_KEY_LENGTH) knownKeys.set(key, words);
  return words;
}

function wordsOfKey(key: string): string[] {
  const spaced = key
    .slice(0, MAX_KEY_LENGTH)
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replaceAll('_', ' ');
  return tokensOf(spaced).map(({ text }) => singular(text));
}

/** Removes the `s` of a plural; good enough for comparing a word with a key. */
export function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function amountIn(value: string | boolean): number | undefined {
  if (typeof value !== 'string' || !/^[$€£]?\s?\d{1,12}(?:,\d{3})*(?:\.\d{1,6})?$/.test(value)) return undefined;
  return Number(value.replace(/[$€£,\s]/g, ''));
}

function collectLists(
  value: unknown,
  words: readonly string[],
  depth: number,
  message: ConversationMessage,
  lists: ListFact[],
): void {
  if (depth > MAX_DEPTH || lists.length >= MAX_FACTS) return;
  if (Array.isArray(value)) {
    lists.push({ message, words, length: value.length });
    for (const item of value.slice(0, 200)) collectLists(item, words, depth + 1, message, lists);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) collectLists(item, keyWords(key), depth + 1, message, lists);
  }
}
