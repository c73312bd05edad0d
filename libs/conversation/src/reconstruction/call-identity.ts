import { ENDPOINT_SCOPE } from '@clew/contracts';
import { canonicalText, type ReadMessage } from '../dialects/index.ts';
import type { ModelCall } from './model-call.ts';

/** Record of a model call, with the fields that identify the call. */
export interface CallRecord {
  /** Key of its span (`spanKey`). */
  key: string;
  startNs: bigint;
  endNs: bigint;
  responseId: string | undefined;
  /** Names of the model in the record. */
  models: readonly string[];
  /** Last message before the answer, and the answer; undefined if not recorded. */
  question: string | undefined;
  answer: string | undefined;
  isFailed: boolean;
  /** Instrumentation that made the record; empty if unknown. */
  scopeName: string;
  /** True if the inference endpoint made it, not the application. */
  isOwn: boolean;
}

/** Record of a call with the conversation that contains it. */
export interface HeldRecord {
  conversationId: string;
  /** True if a span names the conversation; otherwise the conversation is a trace. */
  isNamed: boolean;
  record: CallRecord;
}

/** Tolerance for different clocks, and for the different times at which two processes record one call. */
export const TOLERANCE_NS = 5_000_000_000n;

export function callRecordOf({ node, reading, body, output }: ModelCall): CallRecord {
  const { attributes } = node.span;
  return {
    ...{ key: node.key, startNs: node.startNs, endNs: node.endNs },
    responseId: reading.responseId,
    models: reading.modelNames,
    question: wordsOf(body.at(-1)?.message),
    // A text that was too long to be kept cannot be compared.
    answer: attributes['clew.content.truncated'] === true ? undefined : wordsOf(output[0]?.message),
    isFailed: reading.error !== undefined,
    scopeName: node.span.scopeName,
    isOwn: node.span.scopeName === ENDPOINT_SCOPE,
  };
}

/** Comparable content of a message: role, text and calls. Some records shorten attachments, or omit names and ids. */
function wordsOf(message: ReadMessage | undefined): string | undefined {
  if (message === undefined) return undefined;
  const calls = (message.toolCalls ?? []).map((call) => [call.name, call.arguments]);
  return canonicalText([message.role, message.content.trim(), calls]);
}

/** Keys of a record; records of one call have one of them in common. */
export function keysOfRecord(record: CallRecord): string[] {
  const { question } = record;
  return question === undefined ? idKeysOfRecord(record) : [...idKeysOfRecord(record), `asked ${question}`];
}

/** Keys by response id; records of one call that all have response ids have this key in common. */
export function idKeysOfRecord({ responseId }: CallRecord): string[] {
  return responseId === undefined ? [] : [`id ${responseId}`];
}

/**
 * Tells whether two records are of one call: they overlap in time, and agree in the model, the question and the answer,
 * as far as both have them. Two response ids must be equal too; an id alone proves nothing, because some servers draw
 * it from 999 numbers. Many applications record no id, and a failed call has none. In that case a record of the
 * endpoint belongs to the application's call that was under way at the time, with the same question and answer.
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

/**
 * Tells whether two records overlap in time. Records of one instrumentation share a clock, so a later one is another
 * call.
 */
function overlap(left: CallRecord, right: CallRecord): boolean {
  if (left.scopeName === right.scopeName && left.scopeName !== '') {
    return left.startNs < right.endNs && right.startNs < left.endNs;
  }
  return left.startNs <= right.endNs + TOLERANCE_NS && right.startNs <= left.endNs + TOLERANCE_NS;
}

function agree(left: string | undefined, right: string | undefined): boolean {
  return left === undefined || right === undefined || left === right;
}

/**
 * Tells whether a record of the endpoint belongs to the application's call: it is the call itself, or a failed try of
 * it.
 */
function isWithin(own: CallRecord, called: CallRecord): boolean {
  const isMeanwhile = called.startNs <= own.startNs + TOLERANCE_NS && own.endNs <= called.endNs + TOLERANCE_NS;
  if (!isMeanwhile || own.question === undefined || called.question === undefined) return false;
  return own.answer === undefined ? own.isFailed : called.answer !== undefined || called.isFailed;
}

/**
 * Chooses the record of a call whose conversation keeps the call: the application's before the endpoint's, a named
 * conversation before a trace, then the earliest start. A total order, so that all who see the same records choose the
 * same.
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
