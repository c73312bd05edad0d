import type { ConversationMessage, ConversationSnapshot } from '@clew/contracts';
import { jsonText } from '../conversation/tool-exchanges.ts';
import { scanText, type ScannedText, type TextValue } from './scan-text.ts';

/** Origin of a word or value: it was given (by a user, a tool, the prompt), or an agent introduced it. */
export interface Origin {
  /** Position of the message; -1 if the definitions of the tools contain it. */
  readonly position: number;
  readonly isGiven: boolean;
}

/** Limit below which whole numbers occur everywhere and link nothing. */
const MIN_TELLING_NUMBER = 10;
const NO_LINK = /^(?:null|none|true|false|undefined)$/;

/** Part of a conversation that the index reads. */
export interface IndexedConversation {
  readonly snapshot: Pick<ConversationSnapshot, 'tools'>;
  readonly messages: readonly ConversationMessage[];
  /** Values of a message's content. */
  scan(message: ConversationMessage): ScannedText;
}

/** Tells whether a value is specific enough to identify its origin. */
export function isTelling(value: TextValue): boolean {
  if (value.kind !== 'number') return value.key.length > 2 && !NO_LINK.test(value.key);
  const number = Number(value.key);
  return !Number.isInteger(number) || Math.abs(number) >= MIN_TELLING_NUMBER;
}

/**
 * Index of the origin of each word and each value of a conversation. Words tell whether something is known at all;
 * values link the step that introduced them to those that repeat them.
 */
export class ValueIndex {
  readonly #conversation: IndexedConversation;
  readonly #given = new Map<string, number>();
  readonly #said = new Map<string, number>();
  readonly #origins = new Map<string, Origin>();
  readonly #uses = new Map<string, number[]>();
  readonly #madeUp = new Map<string, boolean>();
  readonly #numbers: number[] = [];
  readonly #numberPositions: number[] = [];
  readonly #valuesAt: (readonly TextValue[])[] = [];
  /** Number of values in each message's content, which come first in `#valuesAt`. */
  readonly #inText: number[] = [];

  constructor(conversation: IndexedConversation) {
    this.#conversation = conversation;
    for (const tool of conversation.snapshot.tools) {
      note(this.#given, scanText(`${tool.name} ${tool.description ?? ''} ${jsonText(tool.parameters)}`).words, -1);
    }
    conversation.messages.forEach((message, position) => this.#read(message, position));
  }

  /** Values of a message, including its calls' arguments, each once. */
  at(position: number): readonly TextValue[] {
    return this.#valuesAt[position] ?? [];
  }

  /** First origin of a value. */
  originOf(key: string): Origin | undefined {
    return this.#origins.get(key);
  }

  /** Positions of the messages that contain a value, in order. */
  usesOf(key: string): readonly number[] {
    return this.#uses.get(key) ?? [];
  }

  /** Values that a message contains and none before it does. */
  introducedAt(position: number): readonly TextValue[] {
    return this.at(position).filter((value) => this.#origins.get(value.key)?.position === position);
  }

  /**
   * Introduced values that are in the message's text, not in its calls, so that their ranges are ranges of its content.
   */
  introducedInTextAt(position: number): readonly TextValue[] {
    const inText = this.#inText[position] ?? 0;
    return this.at(position)
      .slice(0, inText)
      .filter((value) => this.#origins.get(value.key)?.position === position);
  }

  /** Tells whether a user, a tool or the prompt mentioned this word before the given message. */
  isGivenBefore(word: string, position: number): boolean {
    return (this.#given.get(word) ?? Infinity) < position;
  }

  /** Tells whether an agent introduced a value with words that no user, tool or prompt had mentioned before. */
  isMadeUp(key: string): boolean {
    const known = this.#madeUp.get(key);
    if (known !== undefined) return known;
    const origin = this.#origins.get(key);
    const isMadeUp =
      origin?.isGiven === false && [...scanText(key).words].some((word) => !this.isGivenBefore(word, origin.position));
    this.#madeUp.set(key, isMadeUp);
    return isMadeUp;
  }

  /** Tells whether an agent mentioned this word before the given message. */
  isSaidBefore(word: string, position: number): boolean {
    return (this.#said.get(word) ?? Infinity) < position;
  }

  /**
   * Returns the last numbers that users, tools and the prompt gave before a message, including small ones, which count
   * things.
   */
  numbersGivenBefore(position: number, limit: number): readonly number[] {
    const end = firstAtOrAfter(this.#numberPositions, position);
    return this.#numbers.slice(Math.max(0, end - limit), end);
  }

  /** Position at which an agent first mentioned a word. */
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

/** Finds the first index whose number is at least the given one, in ascending numbers. */
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
