import type { ConversationMessage } from '@clew/contracts';
import { messageSentences } from '../../conversation/message-sentences.ts';
import { compilePhrases, findPhrase, hasPhrase, type PhraseSet } from '../../text/phrases.ts';
import { sentencesOf, type Sentence } from '../../text/sentences.ts';
import {
  MISUNDERSTOOD,
  NOT_A_CORRECTION,
  OBJECTED,
  RESTATED,
  VERDICT,
  VERIFYING_QUESTION,
  WRONG,
} from '../../vocabulary/corrections.ts';

/** Sentence in which a user corrects an agent. */
export interface Correction {
  readonly signal: 'answer_called_wrong' | 'request_misunderstood' | 'request_restated';
  readonly strength: number;
  readonly start: number;
  readonly end: number;
}

const MISUNDERSTOOD_PHRASES = compilePhrases(MISUNDERSTOOD);
const WRONG_PHRASES = compilePhrases(WRONG);
const RESTATED_PHRASES = compilePhrases(RESTATED);
const VERDICT_PHRASES = compilePhrases(VERDICT);
const OBJECTION_PHRASES = compilePhrases(OBJECTED);
const EXCUSES = compilePhrases(NOT_A_CORRECTION);
const VERIFYING = compilePhrases(VERIFYING_QUESTION);

/** Tags that make a statement a question: `You fly on Tuesday, right?` */
const TAGS = new Set(['correct', 'right', 'yes', 'richtig', 'oder', 'non', 'correcto', 'verdad', 'certo', 'ne']);

/** A correction comes early; later sentences of a long message are usually the user's own story. */
const MAX_SENTENCE = 4;
const MAX_TOKENS_BEFORE = 25;

/** Strength of `no` to the agent's own check question, which is how checking back is meant to work. */
const ANSWER_TO_QUESTION = 0.55;
const DOUBTING_QUESTION = 0.5;
/** Factor for a later place in the sentence: `I was charged twice, and that is wrong` is about something else. */
const DEEP_IN_SENTENCE = 0.65;
const MAX_WORDS_AHEAD = 5;
const MERE_OBJECTION = 0.5;

/** Finds the correction of the given answer in a user's message; undefined if it corrects nothing. */
export function correctionIn(
  userMessage: ConversationMessage,
  corrected: ConversationMessage,
  keywords: PhraseSet,
): Correction | undefined {
  const sentences = unquotedSentences(userMessage).slice(0, MAX_SENTENCE);
  if (hasPhrase(EXCUSES, sentences)) return undefined;
  const answersQuestion = asksForVerification(corrected);
  let strongest: Correction | undefined;
  let tokensBefore = 0;
  for (const sentence of sentences) {
    const found = tokensBefore > MAX_TOKENS_BEFORE ? undefined : signalOf(sentence, userMessage.content, keywords);
    tokensBefore += sentence.tokens.length;
    if (found === undefined) continue;
    const strength =
      (found.isObjection ? MERE_OBJECTION : 1) *
      (answersQuestion ? ANSWER_TO_QUESTION : 1) *
      (sentence.isQuestion ? DOUBTING_QUESTION : 1) *
      (found.wordsAhead > MAX_WORDS_AHEAD ? DEEP_IN_SENTENCE : 1);
    if (strongest !== undefined && strongest.strength >= strength) continue;
    strongest = { signal: found.signal, strength, start: sentence.start, end: sentence.end };
  }
  return strongest;
}

interface FoundSignal {
  readonly signal: Correction['signal'];
  readonly wordsAhead: number;
  readonly isObjection?: boolean;
}

function signalOf(sentence: Sentence, content: string, keywords: PhraseSet): FoundSignal | undefined {
  const misunderstood = findPhrase(MISUNDERSTOOD_PHRASES, sentence);
  if (misunderstood !== undefined) return { signal: 'request_misunderstood', wordsAhead: misunderstood.tokenIndex };
  if (findPhrase(keywords, sentence) !== undefined || isVerdict(sentence, content)) {
    return { signal: 'answer_called_wrong', wordsAhead: 0 };
  }
  const wrong = findPhrase(WRONG_PHRASES, sentence);
  if (wrong !== undefined) return { signal: 'answer_called_wrong', wordsAhead: wrong.tokenIndex };
  const restated = findPhrase(RESTATED_PHRASES, sentence);
  if (restated !== undefined) return { signal: 'request_restated', wordsAhead: restated.tokenIndex };
  const objected = findPhrase(OBJECTION_PHRASES, sentence);
  return objected?.tokenIndex === 0 ? { signal: 'request_restated', wordsAhead: 0, isObjection: true } : undefined;
}

/** Tells whether a sentence is a verdict: `Wrong!` and `Incorrect, it is 12.` are; `Wrong size` is not. */
function isVerdict(sentence: Sentence, content: string): boolean {
  const found = findPhrase(VERDICT_PHRASES, sentence);
  return found?.tokenIndex === 0 && /^\s*(?:[^\p{L}\p{N}\s]|$)/u.test(content.slice(found.end, found.end + 3));
}

/** Tells whether the agent's message ends by asking whether it has something right. */
function asksForVerification(message: ConversationMessage): boolean {
  const last = messageSentences(message).slice(-2);
  return last.some((sentence) => {
    const isTag = TAGS.has(sentence.tokens.at(-1)?.text ?? '');
    return sentence.isQuestion && (isTag || hasPhrase(VERIFYING, [sentence]));
  });
}

function unquotedSentences(message: ConversationMessage): readonly Sentence[] {
  const unquoted = withoutQuotations(message.content);
  return unquoted === message.content ? messageSentences(message) : sentencesOf(unquoted);
}

const OPENING = new Set(['"', '“', '„', '«', '`']);
const CLOSING = new Set(['"', '”', '“', '»', '`']);

/**
 * Blanks quoted text, character by character: other people's words are no correction, and offsets stay those of the
 * message.
 */
function withoutQuotations(content: string): string {
  const head = content.slice(0, 4000);
  let result = '';
  let index = 0;
  while (index < head.length) {
    const end = OPENING.has(head.charAt(index)) ? closingAfter(head, index) : undefined;
    result += end === undefined ? head.charAt(index) : ' '.repeat(end - index + 1);
    index = end === undefined ? index + 1 : end + 1;
  }
  return result;
}

function closingAfter(text: string, opening: number): number | undefined {
  const limit = Math.min(text.length, opening + 300);
  for (let index = opening + 1; index < limit; index += 1) {
    if (CLOSING.has(text.charAt(index))) return index;
    if (text.charAt(index) === '\n') return undefined;
  }
  return undefined;
}
