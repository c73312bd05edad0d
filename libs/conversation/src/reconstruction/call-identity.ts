import { ENDPOINT_SCOPE } from '@clew/contracts';
import { canonicalText, type ReadMessage } from '../dialects/index.ts';
import type { ModelCall } from './model-call.ts';

/** One record of a call of a model, as far as it says which call it is. */
export interface CallRecord {
  /** Names its span (`spanKey`). */
  key: string;
  startNs: bigint;
  endNs: bigint;
  responseId: string | undefined;
  /** The names that the model has in it. */
  models: readonly string[];
  /** What was said last before the answer, and the answer; undefined where it was not recorded. */
  question: string | undefined;
  answer: string | undefined;
  isFailed: boolean;
  /** What instrumentation made it; empty where it does not say. */
  scopeName: string;
  /** The inference endpoint made it, and not the application. */
  isOwn: boolean;
}

/** A record of a call, and the conversation that it stands in. */
export interface HeldRecord {
  conversationId: string;
  /** A span names the conversation; otherwise it is a trace. */
  isNamed: boolean;
  record: CallRecord;
}

/** Clocks of processes differ, and so do the times at which two of them take note of one call. */
export const TOLERANCE_NS = 5_000_000_000n;

export function callRecordOf({ node, reading, body, output }: ModelCall): CallRecord {
  const { attributes } = node.span;
  return {
    ...{ key: node.key, startNs: node.startNs, endNs: node.endNs },
    responseId: reading.responseId,
    models: reading.modelNames,
    question: wordsOf(body.at(-1)?.message),
    // What was too long to be kept cannot be compared.
    answer: attributes['clew.content.truncated'] === true ? undefined : wordsOf(output[0]?.message),
    isFailed: reading.error !== undefined,
    scopeName: node.span.scopeName,
    isOwn: node.span.scopeName === ENDPOINT_SCOPE,
  };
}

/** Who said it, the text, and the calls: attachments are cut short by some, and names and ids are left out by some. */
function wordsOf(message: ReadMessage | undefined): string | undefined {
  if (message === undefined) return undefined;
  const calls = (message.toolCalls ?? []).map((call) => [call.name, call.arguments]);
  return canonicalText([message.role, message.content.trim(), calls]);
}

/** Records of one call have one of these in common. */
export function keysOfRecord(record: CallRecord): string[] {
  const { question } = record;
  return question === undefined ? idKeysOfRecord(record) : [...idKeysOfRecord(record), `asked ${question}`];
}

/** Records of one call that all have response ids have this in common. */
export function idKeysOfRecord({ responseId }: CallRecord): string[] {
  return responseId === undefined ? [] : [`id ${responseId}`];
}

/**
 * Whether two records are of one call: they overlap in time, and agree in the model, in what was asked and in what was
 * answered, wherever both say so. And they have the same response id; an id alone proves nothing, since some servers
 * draw it from 999 numbers. Many applications record none, and a call that failed has none: there a record of the
 * endpoint is of the application's call that was under way meanwhile, and that asked, and was answered, the same.
 */
export function isSameCall(left: CallRecord, right: CallRecord): boolean {
  // The endpoint records a call once.
  if (left.key === right.key || (left.isOwn && right.isOwn)) return false;
  const areAlike =
    overlap(left, right) &&
    (left.models.length === 0 ||
      right.models.length === 0 ||
      left.models.some((name) => right.models.includes(name))) &&
    agree(left.question, right.question) &&
    agree(left.answer, right.answer);
  if (!areAlike) return false;
  if (left.responseId !== undefined && right.responseId !== undefined) return left.responseId === right.responseId;
  if (left.isOwn === right.isOwn) return false;
  return left.isOwn ? isWithin(left, right) : isWithin(right, left);
}

/** What one instrumentation records has one clock: what follows there is another call. */
function overlap(left: CallRecord, right: CallRecord): boolean {
  if (left.scopeName === right.scopeName && left.scopeName !== '') {
    return left.startNs < right.endNs && right.startNs < left.endNs;
  }
  return left.startNs <= right.endNs + TOLERANCE_NS && right.startNs <= left.endNs + TOLERANCE_NS;
}

function agree(left: string | undefined, right: string | undefined): boolean {
  return left === undefined || right === undefined || left === right;
}

/** Whether what the endpoint recorded is the application's call, or a try of it that failed. */
function isWithin(own: CallRecord, called: CallRecord): boolean {
  const isMeanwhile = called.startNs <= own.startNs + TOLERANCE_NS && own.endNs <= called.endNs + TOLERANCE_NS;
  if (!isMeanwhile || own.question === undefined || called.question === undefined) return false;
  return own.answer === undefined ? own.isFailed : called.answer !== undefined || called.isFailed;
}

/**
 * The one of several records of a call whose conversation keeps it: the application's before the endpoint's, in a named
 * conversation before one that is a trace, then the one that began first. A total order, so that everybody who sees the
 * same records keeps the same one.
 */
export function keeperOf<Held extends HeldRecord>(records: readonly [Held, ...Held[]]): Held {
  return records.reduce((best, next) => (comesBefore(next, best) ? next : best));
}

function comesBefore(left: HeldRecord, right: HeldRecord): boolean {
  if (left.record.isOwn !== right.record.isOwn) return right.record.isOwn;
  if (left.isNamed !== right.isNamed) return left.isNamed;
  if (left.record.startNs !== right.record.startNs) return left.record.startNs < right.record.startNs;
  if (left.conversationId !== right.conversationId) return left.conversationId < right.conversationId;
  return left.record.key < right.record.key;
}
