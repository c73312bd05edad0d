import type { LogRecord } from '@clew/contracts';
import {
  idKeysOfRecord,
  keysOfRecord,
  shareCalls,
  type ConversationRecords,
  type StoredSpan,
  type TelemetryRead,
} from '@clew/conversation';
import type { KnownConversation } from '../conversations/index.ts';
import {
  FragmentsReplacedError,
  spanPlace,
  type CallStore,
  type FragmentStore,
  type RecordRows,
  type Records,
} from '../fragments/index.ts';
import { heldElsewhere, heldIn, type HeldCall } from './held-calls.ts';
import { createTraceLayouts, type TraceLayouts } from './trace-layouts.ts';

/** Conversation with its own records read. */
export interface Draft {
  conversation: Pick<KnownConversation, 'projectId' | 'conversationId'>;
  /** Location of its records. */
  outline: RecordRows;
  records: Records;
  read: TelemetryRead;
}

/** Result for a conversation whose calls other conversations hold too. */
export interface Share {
  /** Its records without the calls that it has lost, and with those that it takes. */
  records: ConversationRecords;
  /** Records of calls, by `spanPlace`, that other conversations keep. */
  lost: { place: string; keeper: string }[];
  /** Records of calls that it takes from other conversations. */
  taken: { place: string; from: string }[];
}

export interface SharedCallsDependencies {
  calls: CallStore;
  fragments: Pick<FragmentStore, 'headsOf' | 'walkHeads' | 'contentsOf' | 'existing'>;
}

/** Maximum number of calls that one conversation takes from others. */
const MAX_SHARED_CALLS = 1_000;
/** Maximum attempts when fragments are replaced during a read; after that, something must be wrong. */
const MAX_ATTEMPTS = 5;

/**
 * Finds the calls of conversations of one project that other conversations hold too, and decides which of them keeps
 * each call.
 */
export async function findSharedCalls<One extends Draft>(
  deps: SharedCallsDependencies,
  drafts: readonly One[],
  layouts: TraceLayouts,
  attempt = 1,
): Promise<Map<One, Share>> {
  const [first] = drafts;
  if (first === undefined) return new Map();
  const known = {
    projectId: first.conversation.projectId,
    conversationIds: new Set(drafts.map(({ conversation }) => conversation.conversationId)),
    fragmentIds: new Set(drafts.flatMap(({ outline }) => outline.spans.map(({ fragmentId }) => fragmentId))),
    records: drafts.flatMap(({ read }) => read.calls),
  };
  try {
    return sharesOf(drafts, await heldElsewhere({ ...deps, layouts }, known));
  } catch (error) {
    if (!(error instanceof FragmentsReplacedError) || attempt === MAX_ATTEMPTS) throw error;
  }
  return await findSharedCalls(deps, drafts, createTraceLayouts(deps.fragments), attempt + 1);
}

function sharesOf<One extends Draft>(drafts: readonly One[], others: readonly HeldCall[]): Map<One, Share> {
  const own = drafts.flatMap(({ conversation, records, read }) =>
    heldIn(conversation.conversationId, records, read.calls),
  );
  const all = [...own, ...others];
  const isShared = sharedKeys(all);
  const shares = new Map<One, Share>();
  for (const draft of drafts) {
    if (!draft.read.calls.some((record) => keysOfRecord(record).some((key) => isShared.has(key)))) continue;
    const share = shareOf(draft, all);
    if (share !== undefined) shares.set(draft, share);
  }
  return shares;
}

/**
 * Keys that calls of several conversations have in common. Calls without an id are compared only with those of the
 * endpoint.
 */
function sharedKeys(all: readonly HeldCall[]): Set<string> {
  const known = new Map<string, string>();
  const shared = new Set<string>();
  const hasEndpoint = all.some(({ record }) => record.isOwn);
  for (const { conversationId, record } of all) {
    for (const key of hasEndpoint ? keysOfRecord(record) : idKeysOfRecord(record)) {
      if ((known.get(key) ?? conversationId) !== conversationId) shared.add(key);
      known.set(key, conversationId);
    }
  }
  return shared;
}

function shareOf({ conversation, records, read }: Draft, all: readonly HeldCall[]): Share | undefined {
  const { lost, taken } = shareCalls(conversation.conversationId, read.calls, all);
  if (lost.size === 0 && taken.length === 0) return undefined;
  const chosen = taken.slice(0, MAX_SHARED_CALLS);
  const isKept = (record: StoredSpan | LogRecord): boolean => !lost.has(spanPlace(record));
  return {
    records: {
      spans: [...records.spans.filter(isKept), ...chosen.map(({ span }) => span)],
      logs: [...records.logs.filter(isKept), ...chosen.flatMap((held) => held.logs)],
    },
    lost: [...lost].map(([place, keeper]) => ({ place, keeper })),
    taken: chosen.map(({ record, conversationId: from }) => ({ place: record.key, from })),
  };
}
