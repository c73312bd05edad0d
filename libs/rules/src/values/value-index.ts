import type { ConversationMessage, ConversationSnapshot } from '@clew/contracts';
import { jsonText } from '../conversation/tool-exchanges.ts';
import { scanText, type ScannedText, type TextValue } from './scan-text.ts';

/** Who brought something into a conversation: it was given (by a user, a tool, the prompt), or an agent said it. */
export interface Origin {
  /** The message; -1 where the definitions of the tools have it. */
  readonly position: number;
  readonly isGiven: boolean;
}

/** Whole numbers below this occur everywhere and tie nothing together. */
const MIN_TELLING_NUMBER = 10;
const NO_LINK = /^(?:null|none|true|false|undefined)$/;

/** What the index reads of a conversation. */
export interface IndexedConversation {
  readonly snapshot: Pick<ConversationSnapshot, 'tools'>;
  readonly messages: readonly ConversationMessage[];
  /** The values of a message's content. */
  scan(message: ConversationMessage): ScannedText;
}

/** Whether a value is particular enough to say where it came from. */
export function isTelling(value: TextValue): boolean {
  if (value.kind !== 'number') return value.key.length > 2 && !NO_LINK.test(value.key);
  const number = Number(value.key);
  return !Number.isInteger(number) || Math.abs(number) >= MIN_TELLING_NUMBER;
}

/**
 * Where each word and each value of a conversation comes from. Words tell whether something is known at all; values
 * link the step that brought them in to those that repeat them.
 */
export class ValueIndex {
  readonly #conversation: IndexedConversation;
  readonly #given = new Map<string, number>();
  readonly #said = new Map<string, number>();
  readonly #origins = new Map<string, Origin>();
  readonly #uses = new Map<string, number[]>();
  readonly #numbers: number[] = [];
  readonly #numberPositions: number[] = [];
  readonly #valuesAt: (readonly TextValue[])[] = [];
  /** How many of them stand in the message's content: they come first. */
  readonly #inText: number[] = [];

  constructor(conversation: IndexedConversation) {
    this.#conversation = conversation;
    for (const tool of conversation.snapshot.tools) {
      note(this.#given, scanText(`${tool.name} ${tool.description ?? ''} ${jsonText(tool.parameters)}`).words, -1);
    }
    conversation.messages.forEach((message, position) => this.#read(message, position));
  }

  /** The values of a message, its calls' arguments included: each once. */
  at(position: number): readonly TextValue[] {
    return this.#valuesAt[position] ?? [];
  }

  /** Who brought a value in first. */
  originOf(key: string): Origin | undefined {
    return this.#origins.get(key);
  }

  /** The messages that hold a value, in order. */
  usesOf(key: string): readonly number[] {
    return this.#uses.get(key) ?? [];
  }

  /** The values that a message holds and none before it does. */
  introducedAt(position: number): readonly TextValue[] {
    return this.at(position).filter((value) => this.#origins.get(value.key)?.position === position);
  }

  /** Those of them that stand in what the message says, and not in its calls: their places are places in its content. */
  introducedInTextAt(position: number): readonly TextValue[] {
    const inText = this.#inText[position] ?? 0;
    return this.at(position)
      .slice(0, inText)
      .filter((value) => this.#origins.get(value.key)?.position === position);
  }

  /** Whether a user, a tool or the prompt had this word before the given message. */
  isGivenBefore(word: string, position: number): boolean {
    return (this.#given.get(word) ?? Infinity) < position;
  }

  /** Whether an agent had said this word before the given message. */
  isSaidBefore(word: string, position: number): boolean {
    return (this.#said.get(word) ?? Infinity) < position;
  }

  /** The last numbers that users, tools and the prompt gave before a message, small ones among them: they count things. */
  numbersGivenBefore(position: number, limit: number): readonly number[] {
    const end = firstAtOrAfter(this.#numberPositions, position);
    return this.#numbers.slice(Math.max(0, end - limit), end);
  }

  /** Where an agent first said a word. */
  saidAt(word: string): number | undefined {
    return this.#said.get(word);
  }

  #read(message: ConversationMessage, position: number): void {
    const { words, values } = this.#conversation.scan(message);
    const isGiven = message.role !== 'assistant';
    note(isGiven ? this.#given : this.#said, words, position);
    if (isGiven) {
      for (const { kind, key } of values) {
        if (kind !== 'number') continue;
        this.#numbers.push(Number(key));
        this.#numberPositions.push(position);
      }
    }
    const distinct = new Map<string, TextValue>();
    const add = (value: TextValue): void => {
      if (isTelling(value) && !distinct.has(value.key)) distinct.set(value.key, value);
    };
    values.forEach(add);
    this.#inText[position] = distinct.size;
    for (const call of message.toolCalls ?? []) {
      const scanned = scanText(jsonText(call.arguments));
      note(this.#said, scanned.words, position);
      scanned.values.forEach(add);
    }
    this.#valuesAt[position] = [...distinct.values()];
    for (const key of distinct.keys()) {
      if (!this.#origins.has(key)) this.#origins.set(key, { position, isGiven });
      const uses = this.#uses.get(key);
      if (uses === undefined) this.#uses.set(key, [position]);
      else uses.push(position);
    }
  }
}

/** The first index whose number is at least the given one, in numbers that only grow. */
export function firstAtOrAfter(sorted: readonly number[], least: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Infinity) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function note(index: Map<string, number>, words: ReadonlySet<string>, position: number): void {
  for (const word of words) if (!index.has(word)) index.set(word, position);
}
