import type { ContentName, RecordRow, RecordStore, TraceName } from '../spans/records.store.ts';
import type { TraceLinkStore } from '../spans/trace-links.store.ts';
import type { TraceLayouts, TracePart } from './trace-layouts.ts';
import { spanIdOf } from './trace-layouts.ts';

/** What belongs to one conversation, before any content is read. */
export interface Outline {
  /** By start time. */
  rows: RecordRow[];
  /** By the start time of their spans; those of spans that have not come are last. */
  contents: TraceName[];
  /** Characters of content, about. */
  characters: number;
  /** There is more than is read of one conversation. */
  truncated: boolean;
  /** Nothing is left of it, since spans came that name another conversation for its trace. */
  isHandedOver: boolean;
}

export interface OutlineBounds {
  /** The earliest traces count. */
  maxTraces: number;
  /** The earliest spans count. */
  maxSpans: number;
  /** Spans' contents and log records. */
  maxContents: number;
  /** Of contents together; the earliest count. */
  maxCharacters: number;
}

export interface OutlineDependencies {
  records: RecordStore;
  links: Pick<TraceLinkStore, 'tracesOf' | 'conversationsOf'>;
}

const TRACES_AT_A_TIME = 50;
const ROWS_OF_ONE_QUERY = 1_000;
const TRACE_ID = /^[0-9a-f]{32}$/;
/** A log record's length is not known before it is read. */
const ASSUMED_LOG_CHARACTERS = 1_000;

/** One name for a span that is unique within its project. */
export function spanPlace({ traceId, spanId }: { traceId: string; spanId: string }): string {
  return `${traceId}:${spanId}`;
}

/** Finds the spans and log records of a conversation in all its traces, the earliest first, within bounds. */
export async function outlineOf(
  { records, links }: OutlineDependencies,
  { projectId, conversationId }: { projectId: string; conversationId: string },
  layouts: TraceLayouts,
  bounds: OutlineBounds,
): Promise<Outline> {
  const named = await links.tracesOf(projectId, conversationId, bounds.maxTraces + 1);
  // A trace is a conversation of its own where no span names one.
  const own = TRACE_ID.test(conversationId) && !named.includes(conversationId) ? [conversationId] : [];
  const traceIds = [...own, ...named.slice(0, bounds.maxTraces)];
  const rows: RecordRow[] = [];
  const contents: TraceName[] = [];
  let truncated = named.length > bounds.maxTraces;
  for (let start = 0; start < traceIds.length && rows.length <= bounds.maxSpans; start += TRACES_AT_A_TIME) {
    const some = traceIds.slice(start, start + TRACES_AT_A_TIME);
    for (const part of await layouts.partsOf(projectId, some, conversationId)) {
      truncated ||= part.truncated;
      for (const name of part.contents) contents.push({ traceId: part.traceId, name });
      for (const row of part.rows ?? (await readRows(records, projectId, part))) rows.push(row);
    }
  }
  const isEmpty = rows.length === 0 && contents.length === 0;
  const isHandedOver = isEmpty && own.length > 0 && (await links.conversationsOf(projectId, own, 1)).size > 0;
  return { ...withinBounds(rows.sort(byStart), contents, truncated, bounds), isHandedOver };
}

async function readRows(records: RecordStore, projectId: string, part: TracePart): Promise<RecordRow[]> {
  const rows: RecordRow[] = [];
  for (let start = 0; start < part.spanIds.length; start += ROWS_OF_ONE_QUERY) {
    const some = part.spanIds.slice(start, start + ROWS_OF_ONE_QUERY);
    for (const row of await records.readRowsById(projectId, part.traceId, some)) rows.push(row);
  }
  return rows;
}

/** The beginning of what was found that is within bounds: spans with all their contents. */
function withinBounds(
  found: readonly RecordRow[],
  names: readonly TraceName[],
  truncated: boolean,
  bounds: OutlineBounds,
): Omit<Outline, 'isHandedOver'> {
  const namesOf = Map.groupBy(names, ({ traceId, name }) => spanPlace({ traceId, spanId: spanIdOf(name) }));
  const result = { rows: [] as RecordRow[], contents: [] as TraceName[], characters: 0, truncated };
  const addAll = (contents: readonly TraceName[], characters: number): boolean => {
    const fits =
      result.contents.length + contents.length <= bounds.maxContents &&
      result.characters + characters <= bounds.maxCharacters;
    if (fits) {
      for (const content of contents) result.contents.push(content);
      result.characters += characters;
    }
    return fits;
  };
  for (const row of found) {
    const place = spanPlace(row);
    const own = namesOf.get(place) ?? [];
    const characters = own.reduce((sum, { name }) => sum + lengthOf(name, row), 0);
    if (result.rows.length >= bounds.maxSpans || !addAll(own, characters)) return { ...result, truncated: true };
    result.rows.push(row);
    namesOf.delete(place);
  }
  for (const awaiting of namesOf.values()) {
    if (!addAll(awaiting, awaiting.length * ASSUMED_LOG_CHARACTERS)) return { ...result, truncated: true };
  }
  return result;
}

function lengthOf(name: ContentName, { spanId, contentLength }: RecordRow): number {
  return name === spanId ? contentLength : ASSUMED_LOG_CHARACTERS;
}

function byStart(left: RecordRow, right: RecordRow): number {
  const [a, b] = [left.startTimeUnixNano, right.startTimeUnixNano];
  if (a.length !== b.length) return a.length - b.length;
  if (a !== b) return a < b ? -1 : 1;
  const [leftPlace, rightPlace] = [spanPlace(left), spanPlace(right)];
  return leftPlace < rightPlace ? -1 : leftPlace > rightPlace ? 1 : 0;
}
