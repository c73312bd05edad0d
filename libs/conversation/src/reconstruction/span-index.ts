import type { LogRecord } from '@clew/contracts';
import { canonicalText, spanFacts, type SpanFacts, type StoredSpan } from '../dialects/index.ts';

interface StartOrder {
  key: string;
  startNs: bigint;
}

/** Span with its relations in the conversation. */
export interface SpanNode extends StartOrder {
  span: StoredSpan;
  logs: LogRecord[];
  facts: SpanFacts;
  parent: SpanNode | undefined;
  /** End time, never before the start. */
  endNs: bigint;
}

/** Unique key of a span: span ids are only unique within their trace. */
export function spanKey(record: { traceId: string; spanId: string }): string {
  return `${record.traceId}:${record.spanId}`;
}

/** Parses nanoseconds into a number that sorts; zero for a text that is not a time. */
export function nanos(text: string): bigint {
  return /^\d{1,20}$/.test(text) ? BigInt(text) : 0n;
}

/**
 * Returns the distinct spans with their log records and parents, by start time, then key. Records may come in any order
 * and repeatedly. Log records whose span has not arrived get a substitute span, so that their content is not lost.
 */
export function indexSpans(spans: readonly StoredSpan[], logs: readonly LogRecord[]): SpanNode[] {
  const byKey = new Map<string, StoredSpan>();
  for (const span of spans) {
    const key = spanKey(span);
    const other = byKey.get(key);
    byKey.set(key, other === undefined ? span : fullest(other, span));
  }
  const logsByKey = Map.groupBy(logs, spanKey);
  for (const [key, group] of logsByKey) if (!byKey.has(key)) byKey.set(key, standIn(group));
  const nodes = new Map([...byKey].map(([key, span]) => [key, nodeOf(key, span, logsByKey.get(key) ?? [])]));
  for (const node of nodes.values()) {
    const { traceId, parentSpanId } = node.span;
    const parent = parentSpanId === undefined ? undefined : nodes.get(spanKey({ traceId, spanId: parentSpanId }));
    node.parent = parent === node ? undefined : parent;
  }
  return [...nodes.values()].sort(byStart);
}

/** Orders by start time, then by key. */
export function byStart(left: StartOrder, right: StartOrder): number {
  if (left.startNs !== right.startNs) return left.startNs < right.startNs ? -1 : 1;
  return left.key < right.key ? -1 : left.key > right.key ? 1 : 0;
}

function nodeOf(key: string, span: StoredSpan, logs: LogRecord[]): SpanNode {
  const startNs = nanos(span.startTimeUnixNano);
  const endNs = nanos(span.endTimeUnixNano);
  return {
    key,
    span,
    logs,
    facts: spanFacts(span, span.resource, span.scopeName),
    parent: undefined,
    startNs,
    endNs: endNs < startNs ? startNs : endNs,
  };
}

/**
 * Chooses between two versions of one span: the later end, then the one with more attributes, then the greater text.
 */
function fullest(left: StoredSpan, right: StoredSpan): StoredSpan {
  if (left === right) return left;
  const [leftEnd, rightEnd] = [nanos(left.endTimeUnixNano), nanos(right.endTimeUnixNano)];
  if (leftEnd !== rightEnd) return leftEnd > rightEnd ? left : right;
  const [leftSize, rightSize] = [Object.keys(left.attributes).length, Object.keys(right.attributes).length];
  if (leftSize !== rightSize) return leftSize > rightSize ? left : right;
  // Repeats are the usual case, and comparing their long texts directly is fastest.
  const isAlike = Object.keys(left.attributes).every((key) => left.attributes[key] === right.attributes[key]);
  const textOf = (span: StoredSpan): string => canonicalText(isAlike ? { ...span, attributes: {} } : span);
  return textOf(left) >= textOf(right) ? left : right;
}

function standIn(logs: readonly LogRecord[]): StoredSpan {
  const times = logs
    .map((log) => nanos(log.timeUnixNano))
    .sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  const { traceId, spanId } = logs[0] as LogRecord;
  return {
    traceId,
    spanId,
    name: '',
    kind: 0,
    startTimeUnixNano: String(times[0]),
    endTimeUnixNano: String(times.at(-1)),
    statusCode: 0,
    attributes: {},
    events: [],
    resource: {},
    scopeName: '',
  };
}
