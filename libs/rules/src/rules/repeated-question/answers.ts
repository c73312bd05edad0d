import type { ConversationMessage } from '@clew/contracts';
import { compilePhrases, findPhrase, hasPhrase } from '../../text/phrases.ts';
import { sentencesOf, type Sentence } from '../../text/sentences.ts';
import { DAY_WORDS } from '../../vocabulary/question-words.ts';
import { NO_ANSWER_GIVEN, PLAIN_DECISION } from '../../vocabulary/repetition.ts';
import { contentWordsOf, type Ask } from './ask.ts';

const NOTHING_GIVEN = compilePhrases(NO_ANSWER_GIVEN);

const DECISIONS = compilePhrases(PLAIN_DECISION);
const MAX_DECISION_WORDS = 6;

const HAS_DIGIT = /\p{N}/u;
const HEAD_LENGTH = 4000;
/** Strength for an answer whose form cannot be checked, and which may have missed the point. */
const UNCHECKED_ANSWER = 0.7;

/** Confidence that a reply answers an ask: 1 if it contains what was asked for, 0 if it does not. */
export function answerStrength(ask: Ask, reply: ConversationMessage): number {
  const text = reply.content.slice(0, HEAD_LENGTH);
  const sentences = sentencesOf(text);
  if (ask.isProcedural) return isPlainDecision(sentences) ? 1 : 0;
  if (hasPhrase(NOTHING_GIVEN, sentences)) return 0;
  const [slot, ...others] = ask.slots;
  // If several things were asked for at once, one may still be missing.
  if (others.length > 0) return 0;
  const words = sentences.flatMap(contentWordsOf);
  const onlyAsks = sentences.length > 0 && sentences.every((sentence) => sentence.isQuestion);
  switch (slot) {
    case 'email':
      return /[^\s@]@[^\s@]/.test(text) ? 1 : 0;
    case 'number':
      return HAS_DIGIT.test(text) ? 1 : 0;
    case 'date':
      return HAS_DIGIT.test(text) || words.some((word) => DAY_WORDS.has(word)) ? 1 : 0;
    case 'name':
    case 'place':
      return words.length > 0 && !onlyAsks ? 0.9 : 0;
    default:
      return words.length > 0 && !onlyAsks ? UNCHECKED_ANSWER : 0;
  }
}

/**
 * Tells whether a reply is a plain decision such as `Yes, please.`; one that changes the plan makes the question a new
 * one.
 */
function isPlainDecision(sentences: readonly Sentence[]): boolean {
  const wordCount = sentences.reduce((count, sentence) => count + sentence.tokens.length, 0);
  const first = sentences[0];
  return first !== undefined && wordCount <= MAX_DECISION_WORDS && findPhrase(DECISIONS, first)?.tokenIndex === 0;
}

/** Tells whether a later message gives the same concrete answer again: a number, code or address of the first reply. */
export function repeatsAnswer(reply: ConversationMessage, later: ConversationMessage): boolean {
  const given = valuesOf(reply.content);
  return [...valuesOf(later.content)].some((value) => given.has(value));
}

function valuesOf(content: string): Set<string> {
  const words = content
    .slice(0, HEAD_LENGTH)
    .toLowerCase()
    .split(/[\s,;:()"'?!]+/);
  return new Set(
    words.map((word) => word.replace(/\.$/, '')).filter((word) => word.length > 3 && /[\p{N}@]/u.test(word)),
  );
}
