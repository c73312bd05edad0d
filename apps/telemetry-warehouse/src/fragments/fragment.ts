import type { WorkKind } from '@clew/conversation';

/**
 * Facts about a span without its content: enough to find the conversation it belongs to, to show its place in the
 * trace, and to choose between two versions of it.
 */
export interface SpanFact {
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  /** Nanoseconds since the Unix epoch, as decimal text. */
  start: string;
  end: string;
  statusCode: number;
  /** Conversation that the span itself names. */
  conversationId?: string;
  work: WorkKind;
  /** Characters of its content as JSON. */
  length: number;
  /** Digest of everything in the span. */
  digest: string;
}

/** Facts about a log record: its span, and the digest that distinguishes it from others. */
export interface LogFact {
  spanId: string;
  length: number;
  digest: string;
}

/** Lists of facts, ordered by span id. */
export interface FragmentFacts {
  spans: SpanFact[];
  logs: LogFact[];
}

/** Content of records, each list in the order of the facts. */
export interface FragmentContent {
  /** Data that many records share. */
  groups: { scopeName: string; resource: Record<string, unknown> }[];
  spans: SpanContent[];
  logs: LogContent[];
}

export interface SpanContent {
  /** Index into `groups`. */
  group: number;
  statusMessage?: string;
  attributes: Record<string, unknown>;
  events: { name: string; timeUnixNano: string; attributes: Record<string, unknown> }[];
}

export interface LogContent {
  group: number;
  eventName: string;
  timeUnixNano: string;
  attributes: Record<string, unknown>;
  body: unknown;
}

/** Records of one trace that arrived in one message. */
export interface TraceFragment {
  /** `<project>:<trace>:<digest of the records>`: a message delivered again finds its fragments already stored. */
  _id: string;
  projectId: string;
  traceId: string;
  /** Conversations that its spans name; the one named first is first. */
  names: string[];
  /** `nameOrder` of the first span that names a conversation. */
  namedAt?: string;
  /** Start of its first record, in Unix epoch milliseconds. */
  startedAt: number;
  /** JSON text of `FragmentFacts`. */
  facts: string;
  spanCount: number;
  /** Characters of its content. */
  length: number;
  receivedAt: Date;
  /** `callKeysOf` its model calls; absent if there are none. */
  callKeys?: number[];
  /** True if its trace is wide and its spans can be found by their ids. */
  placed?: true;
  places?: string[];
}

/** Sort key of a span among those that name conversations: by start time, then span id. */
export function nameOrder({ start, spanId }: Pick<SpanFact, 'start' | 'spanId'>): string {
  return `${start.padStart(20, '0')}:${spanId}`;
}

/**
 * Whether the next of two versions of a span replaces the known one: the later end wins, then the longer content, then
 * the smaller digest.
 */
export function isBetterVersion(next: SpanFact, known: SpanFact): boolean {
  const [nextEnd, knownEnd] = [next.end.padStart(20, '0'), known.end.padStart(20, '0')];
  if (nextEnd !== knownEnd) return nextEnd > knownEnd;
  if (next.length !== known.length) return next.length > known.length;
  return next.digest < known.digest;
}
