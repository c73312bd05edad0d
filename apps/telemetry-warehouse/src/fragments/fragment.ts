import type { WorkKind } from '@clew/conversation';

/**
 * What is known of a span without its content: enough to find out which conversation it belongs to, to show its place in
 * the trace, and to choose between two versions of it.
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
  /** The conversation that the span itself names. */
  conversationId?: string;
  work: WorkKind;
  /** Characters of its content's JSON. */
  length: number;
  /** Of all that it says. */
  digest: string;
}

/** A log record: its span, and what tells it from others. */
export interface LogFact {
  spanId: string;
  length: number;
  digest: string;
}

/** By span id. */
export interface FragmentFacts {
  spans: SpanFact[];
  logs: LogFact[];
}

/** What records say, each list in the order of the facts. */
export interface FragmentContent {
  /** What many records share. */
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

/** The records of one trace that one message brought. */
export interface TraceFragment {
  /** `<project>:<trace>:<digest of the records>`: what is delivered again is there already. */
  _id: string;
  projectId: string;
  traceId: string;
  /** The conversations that its spans name, the first named first. */
  names: string[];
  /** `nameOrder` of the first span that names one. */
  namedAt?: string;
  /** When its first record began, in Unix epoch milliseconds. */
  startedAt: number;
  /** JSON text of `FragmentFacts`. */
  facts: string;
  spanCount: number;
  /** Characters of its content. */
  length: number;
  receivedAt: Date;
  /** `callKeysOf` its calls of models; absent where there are none. */
  callKeys?: number[];
  /** Its trace is wide: its spans can be found by their ids. */
  placed?: true;
  places?: string[];
}

/** Where a span stands among those that name conversations: by start time, then span id. */
export function nameOrder({ start, spanId }: Pick<SpanFact, 'start' | 'spanId'>): string {
  return `${start.padStart(20, '0')}:${spanId}`;
}

/** Of two versions of one span the one that counts: the later end, then the longer content, then the smaller digest. */
export function isBetterVersion(next: SpanFact, known: SpanFact): boolean {
  const [nextEnd, knownEnd] = [next.end.padStart(20, '0'), known.end.padStart(20, '0')];
  if (nextEnd !== knownEnd) return nextEnd > knownEnd;
  if (next.length !== known.length) return next.length > known.length;
  return next.digest < known.digest;
}
