import type { ConversationMessage } from '@clew/contracts';
import { messageSentences } from '../../conversation/message-sentences.ts';
import { oncePer } from '../../conversation/once-per.ts';
import { hasText, type Turn } from '../../conversation/turns.ts';
import { compilePhrases, findPhrase } from '../../text/phrases.ts';
import type { Sentence } from '../../text/sentences.ts';
import { shinglesOf, similarity } from '../../text/shingles.ts';
import { INTERROGATIVES } from '../../vocabulary/repetition.ts';
import { contentWordsOf, isCourtesy } from './ask.ts';

/** Question of the user, an answer that did not answer it, and the repeated question. */
export interface UserRepeat {
  readonly first: ConversationMessage;
  readonly answer: ConversationMessage;
  readonly again: ConversationMessage;
  readonly sharedWords: readonly string[];
  readonly strength: number;
}

interface Wish {
  readonly words: readonly string[];
  readonly shingles: ReadonlySet<string>;
  readonly isQuestion: boolean;
}

const INTERROGATIVE = compilePhrases(INTERROGATIVES);

const MIN_CONTENT_WORDS = 2;
const MIN_SIMILARITY = 0.6;
const CLEAR_SIMILARITY = 0.85;
/** Minimum number of words; fewer are alike by chance. */
const MIN_WORDS_FOR_LIKENESS = 3;
/** Maximum gap: a user who asks again hours later wants to know the current state. */
const MAX_GAP_MS = 30 * 60_000;
const MAX_QUESTION_LENGTH = 2000;

/** Tells whether the last of the given turns repeats the question of an earlier one. */
export function userRepeatOf(turns: readonly Turn[]): UserRepeat | undefined {
  const again = turns.at(-1)?.userMessage;
  const wish = again && wishOf(again);
  if (again === undefined || wish === undefined) return undefined;
  for (const earlier of turns.slice(0, -1).toReversed()) {
    const first = earlier.userMessage;
    const answer = earlier.messages.findLast(hasText);
    const firstWish = first && wishOf(first);
    if (first === undefined || answer === undefined || firstWish === undefined) continue;
    if (again.atMs - first.atMs > MAX_GAP_MS) continue;
    const strength = repeatStrength(firstWish, wish, answer);
    if (strength === 0) continue;
    const sharedWords = [...new Set(wish.words)].filter((word) => firstWish.words.includes(word));
    return { first, answer, again, sharedWords, strength };
  }
  return undefined;
}

function repeatStrength(first: Wish, again: Wish, answer: ConversationMessage): number {
  const alike = similarity(first.shingles, again.shingles);
  const isSame = alike === 1;
  if (alike < MIN_SIMILARITY || (!isSame && again.words.length < MIN_WORDS_FOR_LIKENESS)) return 0;
  if (addsSomething(first.words, again.words)) return 0;
  // A statement that is repeated after a question may simply answer it.
  if (!again.isQuestion && (!isSame || asksSomething(answer))) return 0;
  return alike >= CLEAR_SIMILARITY ? 1 : 0.85;
}

function asksSomething(answer: ConversationMessage): boolean {
  return messageSentences(answer).some((sentence) => sentence.isQuestion && !isCourtesy(sentence));
}

/** Content words of the user's wish: the questions of the message, or the whole message if it has none. */
const wishOf = oncePer((message: ConversationMessage): Wish | undefined => {
  if (message.content.length > MAX_QUESTION_LENGTH) return undefined;
  const sentences = messageSentences(message);
  const questions = sentences.filter(isQuestion);
  const words = (questions.length > 0 ? questions : sentences).flatMap(contentWordsOf);
  if (words.length < MIN_CONTENT_WORDS) return undefined;
  return { words, shingles: shinglesOf(words), isQuestion: questions.length > 0 };
});

function isQuestion(sentence: Sentence): boolean {
  return sentence.isQuestion || findPhrase(INTERROGATIVE, sentence)?.tokenIndex === 0;
}

/** Tells whether a number differs, which makes another question: `the status of order 17`, `the status of order 18`. */
function addsSomething(first: readonly string[], again: readonly string[]): boolean {
  return again.some((word) => /\p{N}/u.test(word) && !first.includes(word));
}
