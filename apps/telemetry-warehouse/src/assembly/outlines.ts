import { inParts } from '@clew/kernel';
import type { KnownConversation } from '../conversations/index.ts';
import { spanPlace, type FragmentStore, type LogRow, type RecordRows, type SpanRow } from '../fragments/index.ts';
import type { TracePart } from './layout.ts';
import type { TraceLayouts } from './trace-layouts.ts';

/** Records of one conversation, before any content is read. */
export interface Outline extends RecordRows {
  /** Characters of content. */
  characters: number;
  /** True if the conversation has more records than are read. */
  truncated: boolean;
  /** True if nothing is left of it, because spans arrived that name another conversation for its trace. */
  isHandedOver: boolean;
}

export interface OutlineLimits {
  /** Maximum number of traces; the earliest count. */
  maxTraces: number;
  /** Maximum number of spans; the earliest count. */
  maxSpans: number;
  /** Maximum number of spans and log records. */
  maxRecords: number;
  /** Maximum characters of all contents together; the earliest count. */
  maxCharacters: number;
  /** Maximum number of records of several conversations that are found together. */
  maxTogether: number;
}

export interface OutlinesDependencies {
  fragments: Pick<FragmentStore, 'tracesNaming' | 'firstTracesNaming'>;
  layouts: TraceLayouts;
  limits: OutlineLimits;
}

type Target = Pick<KnownConversation, 'projectId' | 'conversationId'>;

interface Traces {
  conversationId: string;
  traceIds: string[];
  truncated: boolean;
  /** Trace that is this conversation if no span names one. */
  own: string | undefined;
}

/** Parts of conversations, by trace, then by conversation. */
type PartsOfTraces = Map<string, ReadonlyMap<string, TracePart>>;

/** Maximum number of traces of conversations that are found together. */
const TRACES_AT_A_TIME = 200;
const MAX_NAMING_FRAGMENTS = 5_000;
const TRACE_ID = /^[0-9a-f]{32}$/;

/**
 * Finds the records of conversations of one project in all their traces, the earliest first, within limits. Outlines
 * are in the order of the conversations.
 */
export async function* outlinesOf(
  deps: OutlinesDependencies,
  projectId: string,
  conversations: readonly Target[],
): AsyncGenerator<Outline> {
  const traces = await tracesOf(deps, projectId, conversations);
  for (const part of inParts(traces, ({ traceIds }) => traceIds.length, TRACES_AT_A_TIME)) {
    yield* outlinesOfPart(deps, projectId, part);
  }
}

/**
 * Finds many small conversations together. If they hold too many records for that, the group is halved, down to a
 * single one.
 */
async function* outlinesOfPart(
  deps: OutlinesDependencies,
  projectId: string,
  part: readonly Traces[],
): AsyncGenerator<Outline, undefined> {
  const [first, ...others] = part;
  if (first === undefined) return;
  if (others.length === 0) {
    yield outlineOf(first, await beginningOf(deps, projectId, first), deps.limits);
    return;
  }
  const found = await partsTogether(deps, projectId, part);
  if (found !== undefined) {
    for (const one of part) yield outlineOf(one, found, deps.limits);
    return;
  }
  const middle = Math.ceil(part.length / 2);
  yield* outlinesOfPart(deps, projectId, part.slice(0, middle));
  yield* outlinesOfPart(deps, projectId, part.slice(middle));
}

async function tracesOf(
  { fragments, limits: { maxTraces } }: OutlinesDependencies,
  projectId: string,
  conversations: readonly Target[],
): Promise<Traces[]> {
  const names = conversations.map(({ conversationId }) => conversationId);
  const naming = await fragments.tracesNaming(projectId, names, MAX_NAMING_FRAGMENTS);
  const found: Traces[] = [];
  for (const conversationId of names) {
    const all =
      naming?.get(conversationId) ?? (await fragments.firstTracesNaming(projectId, conversationId, maxTraces + 1));
    const isOwn = TRACE_ID.test(conversationId) && !all.includes(conversationId);
    const traceIds = [...(isOwn ? [conversationId] : []), ...all.slice(0, maxTraces)];
    const truncated = all.length > maxTraces;
    found.push({ conversationId, traceIds, truncated, own: isOwn ? conversationId : undefined });
  }
  return found;
}

/** Parts of several conversations, by trace; undefined if there are too many records to hold at a time. */
async function partsTogether(
  { layouts, limits }: OutlinesDependencies,
  projectId: string,
  part: readonly Traces[],
): Promise<PartsOfTraces | undefined> {
  const wanted = new Set(part.map(({ conversationId }) => conversationId));
  const traceIds = [...new Set(part.flatMap((one) => one.traceIds))];
  const found: PartsOfTraces = new Map();
  let records = 0;
  for await (const { traceId, parts, hasMore } of layouts.walk(projectId, traceIds, (name) => wanted.has(name))) {
    const own = new Map([...wanted].flatMap((name) => withKey(name, parts.get(name))));
    for (const { spans, logs } of own.values()) records += spans.length + logs.length;
    if (hasMore || records > limits.maxTogether) return undefined;
    found.set(traceId, own);
  }
  return found;
}

/** Part of one conversation in its earliest traces; traces beyond the limits are not read. */
async function beginningOf(
  { layouts, limits }: OutlinesDependencies,
  projectId: string,
  { conversationId, traceIds }: Traces,
): Promise<PartsOfTraces> {
  const found: PartsOfTraces = new Map();
  let [spanCount, recordCount] = [0, 0];
  for await (const { traceId, parts } of layouts.walk(projectId, traceIds, (name) => name === conversationId)) {
    const own = parts.get(conversationId);
    found.set(traceId, new Map(withKey(conversationId, own)));
    spanCount += own?.spans.length ?? 0;
    recordCount += (own?.spans.length ?? 0) + (own?.logs.length ?? 0);
    if (spanCount > limits.maxSpans || recordCount > limits.maxRecords) break;
  }
  return found;
}

function withKey(name: string, part: TracePart | undefined): [string, TracePart][] {
  return part === undefined ? [] : [[name, part]];
}

function outlineOf(traces: Traces, found: PartsOfTraces, limits: OutlineLimits): Outline {
  const { conversationId, traceIds, own } = traces;
  const rows = { spans: [] as SpanRow[], logs: [] as LogRow[], truncated: traces.truncated };
  for (const traceId of traceIds) {
    const part = found.get(traceId)?.get(conversationId);
    if (part === undefined) continue;
    rows.truncated ||= part.truncated;
    for (const span of part.spans) rows.spans.push(span);
    for (const log of part.logs) rows.logs.push(log);
  }
  const isEmpty = rows.spans.length === 0 && rows.logs.length === 0;
  // The trace has stored records, and none belong to the trace itself: they all belong to other conversations.
  const isHandedOver = isEmpty && own !== undefined && found.has(own);
  return { ...withinLimits(rows, limits), isHandedOver };
}

/** Cuts records to the limits, earliest spans first, each with its log records. */
function withinLimits(
  found: RecordRows & { truncated: boolean },
  limits: OutlineLimits,
): Omit<Outline, 'isHandedOver'> {
  const logsOf = Map.groupBy(found.logs, spanPlace);
  const result = { spans: [] as SpanRow[], logs: [] as LogRow[], characters: 0, truncated: found.truncated };
  const fits = (records: number, characters: number): boolean =>
    result.spans.length + result.logs.length + records <= limits.maxRecords &&
    result.characters + characters <= limits.maxCharacters;
  for (const span of found.spans.sort(byStart)) {
    const place = spanPlace(span);
    const logs = logsOf.get(place) ?? [];
    const characters = logs.reduce((sum, { length }) => sum + length, span.length);
    if (result.spans.length >= limits.maxSpans || !fits(logs.length + 1, characters)) {
      return { ...result, truncated: true };
    }
    result.spans.push(span);
    for (const log of logs) result.logs.push(log);
    result.characters += characters;
    logsOf.delete(place);
  }
  // Log records whose spans have not arrived come last.
  for (const logs of logsOf.values()) {
    const characters = logs.reduce((sum, { length }) => sum + length, 0);
    if (!fits(logs.length, characters)) return { ...result, truncated: true };
    for (const log of logs) result.logs.push(log);
    result.characters += characters;
  }
  return result;
}

function byStart(left: SpanRow, right: SpanRow): number {
  const [a, b] = [left.start, right.start];
  if (a.length !== b.length) return a.length - b.length;
  if (a !== b) return a < b ? -1 : 1;
  const [leftPlace, rightPlace] = [spanPlace(left), spanPlace(right)];
  return leftPlace < rightPlace ? -1 : leftPlace > rightPlace ? 1 : 0;
}
