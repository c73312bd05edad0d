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

/** A record of a call with what it was read from. */
export interface HeldCall extends HeldRecord {
  span: StoredSpan;
  logs: readonly LogRecord[];
}

export interface HeldCallsDependencies {
  calls: CallStore;
  fragments: Pick<FragmentStore, 'contentsOf' | 'existing'>;
  layouts: TraceLayouts;
}

/** An id that more traces than this have within its period says nothing. */
const MAX_TRACES_OF_KEY = 16;
const MAX_FRAGMENTS = 2_000;
/** Of content of other conversations that is held at a time: copies of large conversations are not all looked at. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Traces of other conversations that are looked at for those that are assembled together. */
const MAX_TRACES = 500;

/** The calls that a conversation holds, as its records tell them. */
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

/** Conversations of one project, and what is known of them. */
export interface KnownCalls {
  projectId: string;
  conversationIds: ReadonlySet<string>;
  /** The fragments that hold their records. */
  fragmentIds: ReadonlySet<string>;
  records: readonly CallRecord[];
}

/**
 * The calls that other conversations hold, and that may be one of the known ones. It costs a query where calls have
 * response ids, and one where the words of some are known that have none; more where something is found.
 */
export async function heldElsewhere(
  { calls, fragments, layouts }: HeldCallsDependencies,
  { projectId, conversationIds, fragmentIds, records }: KnownCalls,
): Promise<HeldCall[]> {
  const keys = await keysToFind(calls, projectId, records);
  if (keys.length === 0) return [];
  // Where an application hands its trace on, the endpoint's record stands in it, and names a conversation all the same.
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

/** The calls of models that some fragments hold, with their log records. */
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

/** The fragments under keys that few traces have: what very many have tells no call from another. */
async function rareFragments(calls: CallStore, projectId: string, keys: readonly number[]): Promise<FragmentOfCalls[]> {
  const found = await calls.fragmentsOf(projectId, keys, MAX_FRAGMENTS);
  const frequent = frequentKeys(found, new Set(keys));
  if (frequent.size === 0) return found;
  // They may have left no room for the others.
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
