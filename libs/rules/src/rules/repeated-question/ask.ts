import type { ConversationMessage } from '@clew/contracts';
import { messageSentences } from '../../conversation/message-sentences.ts';
import { compilePhrases, findPhrase } from '../../text/phrases.ts';
import type { Sentence } from '../../text/sentences.ts';
import { shinglesOf, similarity } from '../../text/shingles.ts';
import { isFunctionWord } from '../../vocabulary/function-words.ts';
import { POLITE_WORDS, slotKindOf, type SlotKind } from '../../vocabulary/question-words.ts';
import { COURTESY, PROCEDURAL_QUESTION, REQUEST } from '../../vocabulary/repetition.ts';

/** Request of an agent to the user. */
export interface Ask {
  readonly message: ConversationMessage;
  readonly sentence: Sentence;
  /** Things asked for, if the sentence names any (`order number`). */
  readonly topics: readonly string[];
  /** Kind of each of those things. */
  readonly slots: readonly SlotKind[];
  readonly contentWords: readonly string[];
  readonly shingles: ReadonlySet<string>;
  /** True for a matter of procedure (`Shall I book it?`), which is the same question only in the same words. */
  readonly isProcedural: boolean;
}

const COURTESIES = compilePhrases(COURTESY);
const PROCEDURAL = compilePhrases(PROCEDURAL_QUESTION);
const REQUESTS = compilePhrases(REQUEST);

const MAX_ASKS_PER_MESSAGE = 6;
const WORDS_BEFORE_SLOT = 2;
const MIN_CONTENT_WORDS = 2;
const MIN_SIMILARITY = 0.7;
const LINKING_WORDS = new Set(['of', 'de', 'do', 'del', 'der', 'des']);

/** Tells whether a sentence is a polite opening or closing. */
export function isCourtesy(sentence: Sentence): boolean {
  return findPhrase(COURTESIES, sentence) !== undefined;
}

/** Finds the requests in an agent's message, except polite openings and closings. */
export function asksOf(message: ConversationMessage): Ask[] {
  return messageSentences(message)
    .filter((sentence) => sentence.isQuestion || findPhrase(REQUESTS, sentence) !== undefined)
    .map((sentence) => toAsk(message, sentence))
    .filter((ask) => ask.topics.length > 0 || (ask.sentence.isQuestion && ask.contentWords.length >= MIN_CONTENT_WORDS))
    .filter((ask) => ask.topics.length > 0 || !isCourtesy(ask.sentence))
    .slice(0, MAX_ASKS_PER_MESSAGE);
}

export function isSameAsk(left: Ask, right: Ask): boolean {
  if (isSameSentence(left.sentence, right.sentence)) return true;
  if (left.isProcedural || right.isProcedural) return false;
  if (left.topics.length > 0 || right.topics.length > 0) {
    return left.topics.length === right.topics.length && left.topics.every((topic) => right.topics.includes(topic));
  }
  return similarity(left.shingles, right.shingles) >= MIN_SIMILARITY;
}

/** Tells whether two sentences are equal, word for word. */
export function isSameSentence(left: Sentence, right: Sentence): boolean {
  return (
    left.tokens.length === right.tokens.length &&
    left.tokens.every((token, index) => token.text === right.tokens[index]?.text)
  );
}

/** Returns the words of a sentence that carry its meaning. */
export function contentWordsOf(sentence: Sentence): string[] {
  return sentence.tokens.map((token) => token.text).filter((word) => !isFunctionWord(word) && !POLITE_WORDS.has(word));
}

function toAsk(message: ConversationMessage, sentence: Sentence): Ask {
  const contentWords = contentWordsOf(sentence);
  const { topics, slots } = thingsAskedFor(sentence);
  return {
    message,
    sentence,
    topics,
    slots,
    contentWords,
    shingles: shinglesOf(contentWords),
    isProcedural: topics.length === 0 && findPhrase(PROCEDURAL, sentence) !== undefined,
  };
}

/**
 * Finds the things asked for, each named by its slot words and up to two words before them: `home address`, `zip code`.
 */
function thingsAskedFor(sentence: Sentence): { topics: string[]; slots: SlotKind[] } {
  const words = sentence.tokens.map((token) => token.text);
  const topics: string[] = [];
  const slots: SlotKind[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const kind = slotKindOf(words[index] ?? '');
    if (kind === undefined) continue;
    let end = index + 1;
    while (slotKindOf(words[end] ?? '') !== undefined || joinsSlots(words, end)) end += 1;
    let start = index;
    while (start > 0 && index - start < WORDS_BEFORE_SLOT && namesMore(words[start - 1] ?? '')) start -= 1;
    topics.push(words.slice(start, end).join(' '));
    slots.push(kind);
    index = end;
  }
  return { topics: [...new Set(topics)], slots };
}

/** Tells whether a linking word joins two slot words into one thing: `date of birth`, `numéro de commande`. */
function joinsSlots(words: readonly string[], index: number): boolean {
  return LINKING_WORDS.has(words[index] ?? '') && slotKindOf(words[index + 1] ?? '') !== undefined;
}

function namesMore(word: string): boolean {
  return !isFunctionWord(word) && !POLITE_WORDS.has(word) && !/\p{N}/u.test(word);
}
