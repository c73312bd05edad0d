import { ENDPOINT_SCOPE, type SpanRecord } from '@clew/contracts';
import { callSigns, readTelemetry, TOLERANCE_NS, type CallRecord } from '@clew/conversation';
import { sha256Hex } from '@clew/kernel';

/** Servers draw their ids from few numbers: only calls of about one time are looked for under one of them. */
const ID_PERIOD_NS = 600_000_000_000n;
/** A client may try for so long before the endpoint takes its call. */
const MAX_TRYING_NS = 600_000_000_000n;
/** The same words are said often. */
const WORDS_PERIOD_NS = 30_000_000_000n;
/** Under this number stands every call that the endpoint recorded. */
export const ENDPOINT_KEY = 1;
/** A call that takes longer is looked for in so many periods. */
const MAX_PERIODS = 12;

/**
 * The numbers under which other records of a call find the fragment of this one: that of its response id, and, where
 * the endpoint recorded it, that of what was said as well, since not all instrumentations record the id.
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

/** The numbers under which other records of a call with a response id may be found. */
export function idKeysToFind({ responseId, startNs, endNs }: CallRecord): number[] {
  if (responseId === undefined) return [];
  const meanwhile = periods(startNs - MAX_TRYING_NS, endNs + TOLERANCE_NS, ID_PERIOD_NS);
  return meanwhile.map((period) => idKey(responseId, period));
}

/** Whether a call without a response id may be found among those of the endpoint by what was said. */
export function isKnownByWords({ responseId, isOwn, question }: CallRecord): boolean {
  return responseId === undefined && !isOwn && question !== undefined;
}

/** The numbers under which the endpoint's record of a call may be found by what was said. */
export function wordsKeysToFind(record: CallRecord): number[] {
  if (!isKnownByWords(record)) return [];
  const meanwhile = periods(record.startNs - TOLERANCE_NS, record.endNs + TOLERANCE_NS, WORDS_PERIOD_NS);
  return wordsOf(record).flatMap((words) => meanwhile.map((period) => wordsKey(words, period)));
}

/** What is compared of a call: the answer, and the question where it, or a try of it, had none. */
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

/** The number of a record of a call, by its `spanPlace`. */
export function callNumber(place: string): number {
  return numberOf(`call ${place}`);
}

/** A number of 48 bits that stands for a text. */
function numberOf(text: string): number {
  return Number.parseInt(sha256Hex(text).slice(0, DIGITS), 16);
}
