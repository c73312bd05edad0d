import type { LogRecord, SpanRecord, TelemetryGroup } from '@clew/contracts';
import { spanFacts } from '@clew/conversation';
import { sha256Hex } from '@clew/kernel';
import { callKeysOf } from './call-keys.ts';
import type { LogFact, SpanFact } from './fragment.ts';

/** Data that the records of one group share. */
export interface RecordGroup {
  scopeName: string;
  /** JSON text of the group within a `FragmentContent`. */
  text: string;
}

/** Record in its stored form. */
export interface RecordText<Fact> {
  group: RecordGroup;
  fact: Fact;
  /** Fact as JSON text. */
  factText: string;
  /** Members of its content as JSON text, without the braces and without the group. */
  content: string;
  /** Start of the record, in Unix epoch milliseconds. */
  atMs: number;
  /** `callKeysOf` a model call. */
  callKeys?: readonly number[];
}

/**
 * Maximum size of a resource in characters; a larger one is dropped, since it is stored with each fragment of its
 * spans.
 */
const MAX_RESOURCE_CHARACTERS = 32 * 1024;
const DIGEST_LENGTH = 16;
const NANOS_PER_MILLISECOND = 1_000_000n;

export function recordGroup({ resource, scopeName }: Pick<TelemetryGroup, 'resource' | 'scopeName'>): RecordGroup {
  const whole = JSON.stringify(resource);
  const kept = whole.length > MAX_RESOURCE_CHARACTERS ? '{}' : whole;
  return { scopeName, text: `{"scopeName":${JSON.stringify(scopeName)},"resource":${kept}}` };
}

export function spanText(group: RecordGroup, span: SpanRecord): RecordText<SpanFact> {
  const { spanId, parentSpanId, name, kind, statusCode, statusMessage, attributes, events } = span;
  const { kind: work, conversationId } = spanFacts(span, {}, group.scopeName);
  const message = statusMessage === undefined ? '' : `"statusMessage":${JSON.stringify(statusMessage)},`;
  const content = `${message}"attributes":${JSON.stringify(attributes)},"events":${JSON.stringify(events)}`;
  const fact = {
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    ...{ name, kind, start: span.startTimeUnixNano, end: span.endTimeUnixNano, statusCode },
    // A lone surrogate cannot be stored as UTF-8, and the stored name must equal the one searched for.
    ...(conversationId === undefined ? {} : { conversationId: conversationId.toWellFormed() }),
    ...{ work, length: content.length },
  };
  const callKeys = work === 'model_call' ? callKeysOf(span, group.scopeName) : [];
  return { group, content, ...withDigest(group, fact, content), atMs: msOf(span.startTimeUnixNano), callKeys };
}

export function logText(group: RecordGroup, log: LogRecord): RecordText<LogFact> {
  const { spanId, eventName, timeUnixNano, attributes, body } = log;
  const whole = JSON.stringify({ eventName, timeUnixNano, attributes, body });
  const content = whole.slice(1, -1);
  return {
    ...{ group, content, ...withDigest(group, { spanId, length: content.length }, content) },
    atMs: msOf(timeUnixNano),
  };
}

/** Rebuilds the text of a stored record in the form it had on arrival. */
export function storedText<Fact>(group: RecordGroup, fact: Fact, said: object, startedAt: string): RecordText<Fact> {
  const content = JSON.stringify(said).slice(1, -1);
  return { group, fact, factText: JSON.stringify(fact), content, atMs: msOf(startedAt) };
}

/**
 * Adds to a fact the digest of the whole record, so that the record is recognized however often, and wherever, it
 * arrives.
 */
function withDigest<Fact extends object>(group: RecordGroup, fact: Fact, content: string) {
  const text = JSON.stringify(fact);
  const digest = sha256Hex(`${group.text}\n${text}\n${content}`).slice(0, DIGEST_LENGTH);
  return { fact: { ...fact, digest }, factText: `${text.slice(0, -1)},"digest":"${digest}"}` };
}

/** Converts decimal text in nanoseconds since the Unix epoch to milliseconds. */
export function msOf(unixNano: string): number {
  return Number(BigInt(unixNano) / NANOS_PER_MILLISECOND);
}
