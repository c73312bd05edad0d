import { ENDPOINT_SCOPE, type SpanRecord } from '@clew/contracts';
import { callSigns, readTelemetry, TOLERANCE_NS, type CallRecord } from '@clew/conversation';
import { sha256Hex } from '@clew/kernel';

/**
 * Period of response ids: some servers draw ids from few numbers, so calls with one id are compared only if they are
 * close in time.
 */
const ID_PERIOD_NS = 600_000_000_000n;
/** Maximum time for which a client may retry before the endpoint accepts its call. */
const MAX_TRYING_NS = 600_000_000_000n;
/** Period of words, which is short because the same words are said often. */
const WORDS_PERIOD_NS = 30_000_000_000n;
/** Key of every call that the endpoint recorded. */
export const ENDPOINT_KEY = 1;
/** Maximum number of periods that are searched for one long call. */
const MAX_PERIODS = 12;

/**
 * Keys under which other records of a call find the fragment of this one: one for its response id and, if the endpoint
 * recorded it, one for its words, since not all instrumentations record the id.
 */
export function callKeysOf(span: SpanRecord, scopeName: string): number[] {
  const { responseId } = callSigns(span.attributes);
  const startNs = BigInt(span.startTimeUnixNano);
  const byId = responseId === undefined ? [] : [idKey(responseId, startNs / ID_PERIOD_NS)];
  if (scopeName !== ENDPOINT_SCOPE) return byId;
  const [record] = readTelemetry({ spans: [{ ...span, scopeName, resource: {} }], logs: [] }).calls;
  const words = record === undefined ? undefined : wordsOf(record)[0];
  return [ENDPOINT_KEY, ...byId, ...(words === undefined ? [] : [wordsKey(words, startNs / WORDS_PERIOD_NS)])];
}

/** Keys under which other records of a call with a response id may be found. */
export function idKeysToFind({ responseId, startNs, endNs }: CallRecord): number[] {
  if (responseId === undefined) return [];
  const meanwhile = periods(startNs - MAX_TRYING_NS, endNs + TOLERANCE_NS, ID_PERIOD_NS);
  return meanwhile.map((period) => idKey(responseId, period));
}

/** Whether a call without a response id can be found by its words among those that the endpoint recorded. */
export function isKnownByWords({ responseId, isOwn, question }: CallRecord): boolean {
  return responseId === undefined && !isOwn && question !== undefined;
}

/** Keys under which the endpoint's record of a call may be found by its words. */
export function wordsKeysToFind(record: CallRecord): number[] {
  if (!isKnownByWords(record)) return [];
  const meanwhile = periods(record.startNs - TOLERANCE_NS, record.endNs + TOLERANCE_NS, WORDS_PERIOD_NS);
  return wordsOf(record).flatMap((words) => meanwhile.map((period) => wordsKey(words, period)));
}

/**
 * Words of a call that are compared: the answer, and the question in case the answer is missing in this record or in
 * the endpoint's.
 */
function wordsOf({ question, answer, isOwn }: CallRecord): string[] {
  const asked = question === undefined ? [] : [`asked ${question}`];
  if (answer === undefined) return asked;
  return isOwn ? [`answered ${answer}`] : [`answered ${answer}`, ...asked];
}

function periods(fromNs: bigint, toNs: bigint, lengthNs: bigint): bigint[] {
  const first = (fromNs < 0n ? 0n : fromNs) / lengthNs;
  const count = Number(toNs / lengthNs - first) + 1;
  return Array.from({ length: Math.min(count, MAX_PERIODS) }, (_, index) => first + BigInt(index));
}

function idKey(responseId: string, period: bigint): number {
  return numberOf(`id ${period} ${responseId}`);
}

function wordsKey(words: string, period: bigint): number {
  return numberOf(`words ${period} ${words}`);
}

const DIGITS = 12;

/** Number of a call's record, from its `spanPlace`. */
export function callNumber(place: string): number {
  return numberOf(`call ${place}`);
}

/** Number of 48 bits that stands for a text. */
function numberOf(text: string): number {
  return Number.parseInt(sha256Hex(text).slice(0, DIGITS), 16);
}
