import { tokensOf } from '../../text/sentences.ts';
import { placedQuoteOf, shorten } from '../../text/quote.ts';
import { toolCharacter } from '../../conversation/tool-names.ts';
import type { ConversationReading, RecordedCall } from '../reading.ts';
import { toolMatcher } from '../tool-patterns.ts';
import { MAX_VIOLATIONS, type ExpectationViolation, type FormEvaluator } from '../violation.ts';
import { argumentValues, type ArgumentValue } from './argument-values.ts';
import { callEvidence } from './call-evidence.ts';

/** Number of values whose checks suffice to judge a conversation. */
const MAX_CHECKED_VALUES = 5000;

/**
 * Reports each call with a value without a source: no user, tool or prompt had mentioned it. If no parameters are
 * named, only values that an agent cannot produce by itself are checked: ids, e-mail addresses, long numbers. Exempt
 * are dates, sums and texts, which agents compute; values that may come from an attachment; calls that only compute or
 * think.
 */
export const groundedArguments: FormEvaluator<'grounded_arguments'> = (check, reading) => {
  const { messages } = reading.snapshot;
  if (reading.beginsInTheMiddle || messages.some((message) => message.textExpired === true)) return [];
  const isGuarded = toolMatcher(check.tools);
  const parameters = check.parameters === undefined ? undefined : new Set(check.parameters);
  const firstAttachment = messages.findIndex((message) => (message.attachments ?? []).length > 0);
  const violations: ExpectationViolation[] = [];
  let checked = 0;
  for (const call of reading.calls) {
    if (violations.length === MAX_VIOLATIONS || checked > MAX_CHECKED_VALUES) break;
    if (firstAttachment !== -1 && firstAttachment < call.position) break;
    if (!isGuarded(call.toolName) || !reading.isOfAgent(call.callMessage, check.agent)) continue;
    if (parameters === undefined && isFreeOfFacts(call.toolName)) continue;
    const values = argumentValues(call.call.arguments).filter((value) => isChecked(value, parameters));
    checked += values.length;
    const invented = values.filter((value) => !isGrounded(value.text, call.position, reading));
    if (invented.length > 0) violations.push(violationOf(call, invented));
  }
  return violations;
};

function isChecked({ parameter, text }: ArgumentValue, parameters: ReadonlySet<string> | undefined): boolean {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > 2000) return false;
  return parameters === undefined ? isIdentifying(trimmed) : parameters.has(parameter);
}

const EMAIL = /^[^\s@]{1,100}@[^\s@]{1,200}$/;
const DATE_OR_TIME = /^\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?(?:[T ]\d{1,2}:\d{2}.{0,20})?$|^\d{1,2}:\d{2}/;
const LONG_NUMBER = /^[+(]?\d[\d\s()-]{6,24}$/;
const ID = /^(?=.*\d)(?=.*\p{L})[\p{L}\d#_.:-]{4,64}$/u;
/** Notations that people write and no system assigns: `v2`, `3pm`, `10kg`, `q4-2026`. */
const MEASURE = /^\d{1,6}(?:\.\d{1,4})?\p{L}{1,8}$|^\p{L}{1,2}\d{1,2}$|^q[1-4]/iu;

function isIdentifying(text: string): boolean {
  if (DATE_OR_TIME.test(text)) return false;
  if (EMAIL.test(text) || LONG_NUMBER.test(text)) return true;
  return ID.test(text) && !MEASURE.test(text) && !/[\\/]/.test(text) && (text.match(/\d/g) ?? []).length >= 2;
}

function isFreeOfFacts(toolName: string): boolean {
  const { notifies, answers } = toolCharacter(toolName);
  return (
    notifies ||
    answers ||
    /calc|comput|eval|python|code|exec|shell|bash|command|sql|query|think|write|draft/i.test(toolName)
  );
}

function isGrounded(text: string, position: number, { sourceWords }: ConversationReading): boolean {
  if (sourceWords.has(text, position)) return true;
  // A country code, or a zero in its place, is often left out.
  const digits = text.replace(/\D/g, '');
  if (LONG_NUMBER.test(text) && digits.length > 8) return sourceWords.has(digits.slice(-8), position);
  const date = /^(\d{4})-(\d{2})-(\d{2})/.exec(text);
  if (date !== null) return isKnownDate(date, position, sourceWords);
  const words = tokensOf(text).map((token) => token.text);
  const known = words.filter((word) => sourceWords.has(word, position));
  // A text of several words is the agent's own wording of something said before.
  return words.length > 4 && known.length * 2 >= words.length;
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const RELATIVE_DAYS =
  'today tomorrow tonight yesterday monday tuesday wednesday thursday friday saturday sunday week weekend month days'.split(
    ' ',
  );

/** Accepts `May 20`, `20.5.`, `tomorrow` and `next Friday` as sources of a date. */
function isKnownDate(date: RegExpExecArray, position: number, words: ConversationReading['sourceWords']): boolean {
  const [, , month = '', day = ''] = date;
  const has = (word: string): boolean => words.has(word, position);
  const name = MONTHS[Number(month) - 1] ?? '';
  const dayWords = [
    `${Number(day)}`,
    day,
    `${Number(day)}st`,
    `${Number(day)}nd`,
    `${Number(day)}rd`,
    `${Number(day)}th`,
  ];
  const isDayKnown = dayWords.some(has);
  const isMonthKnown = [name, name.slice(0, 3), `${Number(month)}`, month].some((word) => word !== '' && has(word));
  return (isDayKnown && isMonthKnown) || RELATIVE_DAYS.some(has);
}

function violationOf(call: RecordedCall, invented: readonly ArgumentValue[]): ExpectationViolation {
  const [first] = invented;
  const named = invented
    .slice(0, 3)
    .map(({ parameter, text }) => `${parameter === '' ? '' : `${parameter} `}"${shorten(text, 60)}"`);
  const what = `${named.join(', ')}${invented.length > 3 ? ', ...' : ''}`;
  const evidence = callEvidence(call, `A value that nobody gave: ${shorten(first?.text ?? '', 80)}`);
  return {
    message: call.callMessage,
    reason: `${call.toolName} was called with ${what}, which no user, tool or prompt had said before.`,
    strength: 1,
    evidence: [{ ...evidence, quote: placedQuoteOf(call.callMessage.content) }],
  };
}
