import type { EnvelopeOf, LogRecord, spansReceived } from '@clew/contracts';
import { isStep } from '@clew/conversation';
import { inParts, sha256Hex } from '@clew/kernel';
import { nameOrder, type LogFact, type SpanFact, type TraceFragment } from './fragment.ts';
import { createLogOrder } from './log-order.ts';
import { logText, msOf, recordGroup, spanText, type RecordGroup, type RecordText } from './record-texts.ts';

type SpansReceivedData = EnvelopeOf<typeof spansReceived>['data'];

/** Facts of a span that determine its conversation. */
export type SpanPlace = Pick<SpanFact, 'spanId' | 'parentSpanId' | 'conversationId'>;

/** Activity of one trace in a message. */
export interface TraceActivity {
  traceId: string;
  startedAt: number;
  lastActivityAt: number;
  /** True if it contains a step of a chat. */
  listed: boolean;
  /** Places of its records; a log record counts as one below its span. */
  places: SpanPlace[];
}

/** Fragment on its way into the store. */
export interface NewFragment {
  document: TraceFragment;
  /** JSON text of `FragmentContent`. */
  content: string;
}

/** Records of a message in their stored form. */
export interface MessageFragments {
  fragments: NewFragment[];
  activity: TraceActivity[];
}

/**
 * Maximum characters of content in one fragment, whose document has to stay below 16 MiB even if it can hardly be
 * compressed.
 */
const MAX_FRAGMENT_CHARACTERS = 4 * 1024 * 1024;
const DIGEST_LENGTH = 24;

interface OfTrace {
  spans: Map<string, RecordText<SpanFact>>;
  logs: Map<string, RecordText<LogFact>>;
}

/**
 * Groups the records of a message by trace. The same records always give the same fragments, whenever they are
 * received.
 */
export function messageFragments(projectId: string, { groups, receivedAt }: SpansReceivedData): MessageFragments {
  const traces = new Map<string, OfTrace>();
  const activity = new Map<string, TraceActivity>();
  const traceOf = (traceId: string): OfTrace => {
    const known = traces.get(traceId) ?? { spans: new Map(), logs: new Map() };
    traces.set(traceId, known);
    return known;
  };
  const inOrder = createLogOrder();
  for (const each of groups) {
    const group = recordGroup(each);
    for (const span of each.spans) {
      const text = spanText(group, span);
      // Two versions of a span may be in one message: both are kept, and the better one is chosen on reading.
      traceOf(span.traceId).spans.set(text.fact.digest, text);
      const noted = note(activity, span.traceId, msOf(span.startTimeUnixNano), msOf(span.endTimeUnixNano));
      noted.places.push(text.fact);
      noted.listed ||= isStep(text.fact.work);
    }
    for (const received of each.logs) {
      const log = inOrder(received);
      const text = logText(group, log);
      traceOf(log.traceId).logs.set(text.fact.digest, text);
      noteLog(activity, log, text.fact);
    }
  }
  const received = new Date(receivedAt);
  const fragments = [...traces].flatMap(([traceId, ofTrace]) =>
    recordParts(ofTrace).map((part) => fragmentOf({ projectId, traceId, receivedAt: received }, part)),
  );
  return { fragments, activity: [...activity.values()] };
}

interface Part {
  spans: RecordText<SpanFact>[];
  logs: RecordText<LogFact>[];
}

/** Splits all records of a trace into parts that can be stored, in an order that does not depend on the message's. */
function recordParts({ spans, logs }: OfTrace): Part[] {
  const all = [
    ...[...spans.values()].sort(bySpan).map((span) => ({ span })),
    ...[...logs.values()].sort(bySpan).map((log) => ({ log })),
  ];
  return inParts(all, sizeOf, MAX_FRAGMENT_CHARACTERS).map((part) => ({
    spans: part.flatMap((record) => ('span' in record ? [record.span] : [])),
    logs: part.flatMap((record) => ('log' in record ? [record.log] : [])),
  }));
}

function sizeOf(record: { span: RecordText<SpanFact> } | { log: RecordText<LogFact> }): number {
  const { content, factText } = 'span' in record ? record.span : record.log;
  return content.length + factText.length;
}

function bySpan(left: RecordText<SpanFact | LogFact>, right: RecordText<SpanFact | LogFact>): number {
  const [a, b] = [left.fact, right.fact];
  if (a.spanId !== b.spanId) return a.spanId < b.spanId ? -1 : 1;
  return a.digest < b.digest ? -1 : 1;
}

/** Builds a fragment of some records of a trace. */
export function fragmentOf(
  { projectId, traceId, receivedAt }: Pick<TraceFragment, 'projectId' | 'traceId' | 'receivedAt'>,
  { spans, logs }: Part,
): NewFragment {
  const digests = [...spans, ...logs].map(({ fact }) => fact.digest);
  const digest = sha256Hex(digests.join()).slice(0, DIGEST_LENGTH);
  const factTexts = (records: readonly RecordText<unknown>[]) => records.map(({ factText }) => factText).join();
  const groups = new Map<RecordGroup, number>();
  const indexed = ({ group, content }: RecordText<unknown>): string => {
    if (!groups.has(group)) groups.set(group, groups.size);
    return `{"group":${groups.get(group) ?? 0},${content}}`;
  };
  const [spanTexts, logTexts] = [spans.map(indexed).join(), logs.map(indexed).join()];
  const groupTexts = [...groups.keys()].map(({ text }) => text).join();
  const content = `{"groups":[${groupTexts}],"spans":[${spanTexts}],"logs":[${logTexts}]}`;
  const inOrder = namesInOrder(spans);
  const [first] = inOrder;
  const callKeys = [...new Set(spans.flatMap((span) => span.callKeys ?? []))];
  const document: TraceFragment = {
    ...{ _id: `${projectId}:${traceId}:${digest}`, projectId, traceId },
    names: [...new Set(inOrder.map(({ name }) => name))],
    ...(first === undefined ? {} : { namedAt: first.at }),
    startedAt: [...spans, ...logs].reduce((least, { atMs }) => Math.min(least, atMs), Number.POSITIVE_INFINITY),
    facts: `{"spans":[${factTexts(spans)}],"logs":[${factTexts(logs)}]}`,
    ...{ spanCount: spans.length, length: content.length, receivedAt },
    ...(callKeys.length === 0 ? {} : { callKeys }),
  };
  return { document, content };
}

function namesInOrder(spans: readonly RecordText<SpanFact>[]): { at: string; name: string }[] {
  return spans
    .flatMap(({ fact }) =>
      fact.conversationId === undefined ? [] : [{ at: nameOrder(fact), name: fact.conversationId }],
    )
    .sort((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0));
}

function note(
  activity: Map<string, TraceActivity>,
  traceId: string,
  startedAt: number,
  endedAt: number,
): TraceActivity {
  const lastActivityAt = Math.max(startedAt, endedAt);
  const known = activity.get(traceId);
  if (known === undefined) {
    const noted: TraceActivity = { traceId, startedAt, lastActivityAt, listed: false, places: [] };
    activity.set(traceId, noted);
    return noted;
  }
  known.startedAt = Math.min(known.startedAt, startedAt);
  known.lastActivityAt = Math.max(known.lastActivityAt, lastActivityAt);
  return known;
}

function noteLog(activity: Map<string, TraceActivity>, log: LogRecord, { spanId, digest }: LogFact): void {
  const atMs = msOf(log.timeUnixNano);
  const noted = note(activity, log.traceId, atMs, atMs);
  noted.listed = true;
  noted.places.push({ spanId: digest, parentSpanId: spanId });
}
