import type { ConversationMessage } from '@clew/contracts';
import { messageSentences } from '../../conversation/message-sentences.ts';
import { nameWords, toolCharacter, type ToolCharacter } from '../../conversation/tool-names.ts';
import type { ToolExchange } from '../../conversation/tool-exchanges.ts';
import { hasText, type Turn } from '../../conversation/turns.ts';
import { compilePhrases, findPhrase, hasPhrase } from '../../text/phrases.ts';
import { sentencesOf, tokensOf, type Sentence } from '../../text/sentences.ts';
import { FAILURE_ADMITTED, FAILURE_HINTED, OTHER_WAY, SUCCESS_CLAIMED } from '../../vocabulary/failure.ts';
import { isFunctionWord, isKnownLanguage } from '../../vocabulary/function-words.ts';
import type { ToolError } from '../../errors/tool-error.ts';

/** Outcome of an error within its turn. */
export type Handling =
  | { readonly kind: 'handled' }
  | {
      readonly kind: 'success_claimed' | 'not_mentioned' | 'gave_up';
      readonly answer: ConversationMessage;
      readonly quote: Sentence;
    }
  | { readonly kind: 'no_answer' };

const HANDLED: Handling = { kind: 'handled' };
const CONDITION = compilePhrases(['(if|unless|should you|in case|falls|sollte|sollten|wenn|si|en caso|caso)']);
const NO_PROBLEM = compilePhrases([
  '(no|not a|kein|pas de|ningun|sem) (problem|issue|issues|errors|error|worries|probleme|problema)',
]);

/** Last position in a turn at which each way of handling an error succeeded, as positions of the calling message. */
export interface TurnOutcome {
  readonly lastSuccess: ReadonlyMap<string, number>;
  readonly lastRead: number;
  readonly lastChange: number;
  readonly lastHandover: number;
  readonly lastAdmission: number;
  /** Last text of the agent. */
  readonly final: TurnText | undefined;
  /** Position of the last call, and how often each tool was called. */
  readonly lastCall: number;
  readonly attempts: ReadonlyMap<string, number>;
  /** Words of the user's request, which an answer may repeat without telling anything of the error. */
  readonly requested: ReadonlySet<string>;
  /** Whether the user writes in a language whose words for failure are known; agents answer in that language. */
  readonly isKnownLanguage: boolean;
}

interface TurnText {
  readonly position: number;
  readonly message: ConversationMessage;
  readonly sentences: readonly Sentence[];
}

/** Reads a turn once, so that its errors can be judged without another pass over the turn. */
export function turnOutcome(
  turn: Turn,
  exchanges: readonly ToolExchange[],
  positionOf: ReadonlyMap<ConversationMessage, number>,
  isError: (result: ConversationMessage) => boolean,
): TurnOutcome {
  const lastSuccess = new Map<string, number>();
  const attempts = new Map<string, number>();
  let [lastRead, lastChange, lastHandover, lastCall] = [-1, -1, -1, -1];
  for (const { toolName, callMessage, result } of exchanges) {
    attempts.set(toolName, (attempts.get(toolName) ?? 0) + 1);
    const from = callMessage ?? result;
    const end = result ?? callMessage;
    if (end !== undefined) lastCall = Math.max(lastCall, positionOf.get(end) ?? -1);
    if (from === undefined || (result !== undefined && isError(result))) continue;
    const position = positionOf.get(from) ?? -1;
    const character: ToolCharacter = toolCharacter(toolName);
    if (character.handsOver || character.answers) lastHandover = Math.max(lastHandover, position);
    if (result === undefined) continue;
    lastSuccess.set(toolName, Math.max(lastSuccess.get(toolName) ?? -1, position));
    if (character.changes && !character.notifies) lastChange = Math.max(lastChange, position);
    else if (!character.notifies) lastRead = Math.max(lastRead, position);
  }
  const asked = turn.userMessage === undefined ? [] : messageSentences(turn.userMessage);
  const texts = turn.messages.filter(hasText).map((message): TurnText => {
    return { position: positionOf.get(message) ?? -1, message, sentences: messageSentences(message) };
  });
  return {
    lastSuccess,
    lastRead,
    lastChange,
    lastHandover,
    lastAdmission: texts.findLast(admitsFailure)?.position ?? -1,
    final: texts.at(-1),
    lastCall,
    attempts,
    requested: new Set(asked.flatMap(({ tokens }) => tokens.map(({ text }) => text))),
    isKnownLanguage: isKnownLanguage(asked),
  };
}

function admitsFailure({ sentences }: TurnText): boolean {
  return hasPhrase(FAILURE_ADMITTED, sentences.filter(isPlainStatement));
}

/**
 * Judges one error. Handled means: retried with success, worked around with another tool, handed over, or told to the
 * user. A tool that changes something is not replaced by one that only reads or notifies.
 */
export function handlingOf(
  outcome: TurnOutcome,
  { toolName, callMessage }: ToolExchange,
  error: ToolError,
  position: number,
): Handling {
  if ((outcome.lastSuccess.get(toolName) ?? -1) > position || outcome.lastHandover > position) return HANDLED;
  if (outcome.lastChange > position || (!toolCharacter(toolName).changes && outcome.lastRead > position))
    return HANDLED;
  const { final } = outcome;
  if (final === undefined || final.position < position) {
    // An agent that ends with a tool tells in the same message what could not be done.
    const isTold = callMessage !== undefined && hasPhrase(FAILURE_ADMITTED, messageSentences(callMessage));
    return isTold ? HANDLED : { kind: 'no_answer' };
  }
  const [quote] = final.sentences;
  if (quote !== undefined && gaveUp(outcome, toolName, error, position))
    return { kind: 'gave_up', answer: final.message, quote };
  if (outcome.lastAdmission > position || tellsError(final.sentences, error, outcome, toolName)) return HANDLED;
  const asksUser = final.sentences.some((sentence) => sentence.isQuestion && hasPhrase(OTHER_WAY, [sentence]));
  if (asksUser) return HANDLED;

  const claim = final.sentences.find((sentence) => !sentence.isQuestion && hasPhrase(SUCCESS_CLAIMED, [sentence]));
  if (claim !== undefined) return { kind: 'success_claimed', answer: final.message, quote: claim };
  if (quote === undefined || hasPhrase(FAILURE_HINTED, final.sentences.filter(isPlainStatement))) return HANDLED;
  if (repeatsError(final.sentences, error) || !(outcome.isKnownLanguage || isKnownLanguage(final.sentences)))
    return HANDLED;
  return { kind: 'not_mentioned', answer: final.message, quote };
}

/** Words with which an error says what would work. */
const ADVICE = compilePhrases([
  '(try|use|specify|provide|include) (with|) (a|an|the|) (another|different|other|again|instead|one of|valid)',
  '(did you mean|instead of|must be|has to be|should be|expected|one of|available (options|values|tables|columns|files)|valid (values|options))',
  '(versuche|verwende|essayez|utilisez|intente|utilice|tente)',
]);
const MAX_ATTEMPTS = 2;

/**
 * Tells whether the agent ended its work with a call that failed because of its arguments, although the error says what
 * would work and hardly anything was tried. To tell the user of such an error is no handling: nobody but the agent can
 * call the tool again.
 */
function gaveUp(outcome: TurnOutcome, toolName: string, error: ToolError, position: number): boolean {
  if (position < outcome.lastCall || (outcome.attempts.get(toolName) ?? 0) > MAX_ATTEMPTS) return false;
  if (error.errorClass !== 'not_found' && error.errorClass !== 'invalid_input') return false;
  return hasPhrase(ADVICE, sentencesOf(error.text));
}

/** Tells whether a sentence is a plain statement: `If there is an error, call us` and `no problem` admit nothing. */
function isPlainStatement(sentence: Sentence): boolean {
  return findPhrase(CONDITION, sentence)?.tokenIndex !== 0 && findPhrase(NO_PROBLEM, sentence) === undefined;
}

/** Tells whether an answer has a word of the error that neither the user nor the name of the tool brought in. */
function tellsError(
  sentences: readonly Sentence[],
  error: ToolError,
  { requested }: TurnOutcome,
  toolName: string,
): boolean {
  const named = new Set(nameWords(toolName));
  const telling = [...errorWordsOf(error)].filter((word) => !requested.has(word) && !named.has(word));
  const said = new Set(sentences.flatMap(({ tokens }) => tokens.map(({ text }) => text)));
  return telling.some((word) => said.has(word));
}

function errorWordsOf(error: ToolError): ReadonlySet<string> {
  return new Set(
    tokensOf(error.text)
      .map((token) => token.text)
      .filter((word) => word.length > 3 && word !== 'error' && !isFunctionWord(word)),
  );
}

/**
 * Tells whether an answer repeats the content of an error: `the total is $608` after `total price is 608, but paid
 * 304`.
 */
function repeatsError(sentences: readonly Sentence[], error: ToolError): boolean {
  const errorWords = errorWordsOf(error);
  const said = new Set(sentences.flatMap((sentence) => sentence.tokens.map((token) => token.text)));
  const shared = [...errorWords].filter((word) => said.has(word)).length;
  return shared >= 2 && shared / errorWords.size >= 0.4;
}
