import type { LogRecord } from '@clew/contracts';
import {
  heldBy,
  readTelemetry,
  type CallRecord,
  type ConversationRecords,
  type HeldRecord,
  type StoredSpan,
} from '@clew/conversation';
import {
  ENDPOINT_KEY,
  idKeysToFind,
  isKnownByWords,
  readRecords,
  spanPlace,
  wordsKeysToFind,
  type CallStore,
  type FragmentOfCalls,
  type FragmentStore,
  type RecordRows,
  type Records,
} from '../fragments/index.ts';
import type { IsWanted } from './layout.ts';
import type { TraceLayouts } from './trace-layouts.ts';

/** Record of a call with the span and log records from which it was read. */
export interface HeldCall extends HeldRecord {
  span: StoredSpan;
  logs: readonly LogRecord[];
}

export interface HeldCallsDependencies {
  calls: CallStore;
  fragments: Pick<FragmentStore, 'contentsOf' | 'existing'>;
  layouts: TraceLayouts;
}

/** Number of traces with one key in its period beyond which the key identifies nothing. */
const MAX_TRACES_OF_KEY = 16;
const MAX_FRAGMENTS = 2_000;
/**
 * Maximum characters of content of other conversations held at a time: not all copies of large conversations are
 * compared.
 */
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Maximum number of traces of other conversations that are searched for one group. */
const MAX_TRACES = 500;

/** Calls that a conversation holds, read from its records. */
export function heldIn(
  conversationId: string,
  records: ConversationRecords,
  calls: readonly CallRecord[] = readTelemetry(records).calls,
): HeldCall[] {
  const spans = new Map(records.spans.map((span) => [spanPlace(span), span]));
  const logs = Map.groupBy(records.logs, spanPlace);
  return calls.flatMap((record) => {
    const span = spans.get(record.key);
    return span === undefined ? [] : [{ ...heldBy(conversationId, record), span, logs: logs.get(record.key) ?? [] }];
  });
}

/** Calls known of several conversations of one project. */
export interface KnownCalls {
  projectId: string;
  conversationIds: ReadonlySet<string>;
  /** Fragments that hold their records. */
  fragmentIds: ReadonlySet<string>;
  records: readonly CallRecord[];
}

/**
 * Finds calls that other conversations hold and that may be the same as known ones. It costs one query if calls have
 * response ids, one if calls without an id have words to compare, and more if anything is found.
 */
export async function heldElsewhere(
  { calls, fragments, layouts }: HeldCallsDependencies,
  { projectId, conversationIds, fragmentIds, records }: KnownCalls,
): Promise<HeldCall[]> {
  const keys = await keysToFind(calls, projectId, records);
  if (keys.length === 0) return [];
  // Mixed fragment: if an application passes its trace on, the endpoint's record is in the same trace, but names a
  // conversation of its own.
  const isMixed = ({ traceId, callKeys }: FragmentOfCalls): boolean =>
    callKeys.includes(ENDPOINT_KEY) && layouts.hasSeveral(projectId, traceId);
  const found = (await rareFragments(calls, projectId, keys)).filter(
    (fragment) => !fragmentIds.has(fragment._id) || isMixed(fragment),
  );
  if (found.length === 0) return [];
  const ids = new Set(found.map(({ _id }) => _id));
  const traceIds = [...new Set(found.map(({ traceId }) => traceId))].slice(0, MAX_TRACES);
  const others: { conversationId: string; rows: RecordRows }[] = [];
  let room = MAX_CHARACTERS;
  const isOther: IsWanted = (conversationId, { _id }) => !conversationIds.has(conversationId) && ids.has(_id);
  for await (const { parts } of layouts.walk(projectId, traceIds, isOther)) {
    for (const [conversationId, part] of parts) {
      if (conversationIds.has(conversationId)) continue;
      const rows = callsOf(part, ids);
      room -= lengthOf(rows);
      if (rows.spans.length > 0 && room >= 0) others.push({ conversationId, rows });
    }
    if (room < 0) break;
  }
  const read = await readRecords(
    fragments,
    others.map(({ rows }) => rows),
  );
  return others.flatMap(({ conversationId }, index) => heldIn(conversationId, read[index] as Records));
}

/** Model calls in the given fragments, with their log records. */
function callsOf({ spans, logs }: RecordRows, fragmentIds: ReadonlySet<string>): RecordRows {
  const calls = spans.filter(({ fragmentId, work }) => work === 'model_call' && fragmentIds.has(fragmentId));
  if (calls.length === 0) return { spans: [], logs: [] };
  const places = new Set(calls.map(spanPlace));
  return { spans: calls, logs: logs.filter((log) => places.has(spanPlace(log))) };
}

function lengthOf({ spans, logs }: RecordRows): number {
  return [...spans, ...logs].reduce((sum, { length }) => sum + length, 0);
}

async function keysToFind(calls: CallStore, projectId: string, records: readonly CallRecord[]): Promise<number[]> {
  const byId = records.flatMap(idKeysToFind);
  const byWords = records.some(isKnownByWords) && (await calls.hasAny(projectId, ENDPOINT_KEY));
  return [...new Set([...byId, ...(byWords ? records.flatMap(wordsKeysToFind) : [])])];
}

/** Fragments under keys that only few traces have: a key that very many traces share does not distinguish calls. */
async function rareFragments(calls: CallStore, projectId: string, keys: readonly number[]): Promise<FragmentOfCalls[]> {
  const found = await calls.fragmentsOf(projectId, keys, MAX_FRAGMENTS);
  const frequent = frequentKeys(found, new Set(keys));
  if (frequent.size === 0) return found;
  // Frequent keys may have used up the limit, so the rare ones are read again alone.
  const rare = keys.filter((key) => !frequent.has(key));
  return rare.length === 0 ? [] : await calls.fragmentsOf(projectId, rare, MAX_FRAGMENTS);
}

function frequentKeys(found: readonly FragmentOfCalls[], asked: ReadonlySet<number>): Set<number> {
  const tracesOf = new Map<number, Set<string>>();
  for (const { traceId, callKeys } of found) {
    for (const key of callKeys) if (asked.has(key)) tracesOf.set(key, (tracesOf.get(key) ?? new Set()).add(traceId));
  }
  const frequent = [...tracesOf].filter(([, traceIds]) => traceIds.size > MAX_TRACES_OF_KEY);
  return new Set(frequent.map(([key]) => key));
}
