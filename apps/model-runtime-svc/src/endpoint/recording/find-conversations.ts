import {
  candidatesOf,
  chatCallOf,
  ConversationPoints,
  hasHistory,
  newConversationId,
  type ChatCall,
} from './conversation-finder.ts';
import type { ConversationPointsStore } from './conversation-points.store.ts';
import type { FinishedCall, RecordedCall } from './finished-call.ts';

export interface CallToFind {
  call: FinishedCall;
  /** True if the call was put off before: it then begins a conversation if it continues none. */
  deferred: boolean;
}

export interface FoundConversations<Entry extends CallToFind> {
  recorded: RecordedCall[];
  /** Calls that should continue a call not recorded yet: another replica may be about to record it. */
  toDefer: Entry[];
}

/** Assigns calls to conversations, in their order, and stores the points that the conversations have reached. */
export async function findConversations<Entry extends CallToFind>(
  entries: readonly Entry[],
  store: ConversationPointsStore,
): Promise<FoundConversations<Entry>> {
  const chats = new Map<Entry, ChatCall>();
  for (const entry of entries) if (entry.call.operation === 'chat') chats.set(entry, chatCallOf(entry.call));
  const points = new ConversationPoints(await store.find(hashesOf([...chats.values()])));
  const recorded: RecordedCall[] = [];
  const toDefer: Entry[] = [];
  for (const entry of entries) {
    const { call } = entry;
    const chat = chats.get(entry);
    if (chat === undefined) {
      recorded.push({ call, conversationId: call.conversationId });
      continue;
    }
    const found = call.conversationId ?? points.find(chat);
    if (found === undefined && hasHistory(chat) && !entry.deferred) {
      toDefer.push(entry);
      continue;
    }
    const conversationId = found ?? newConversationId();
    points.reached(chat, conversationId);
    recorded.push({ call, conversationId });
  }
  await store.save(points.changes);
  return { recorded, toDefer };
}

/** Hashes of the points that calls may continue. The points that they reach are not loaded: they are overwritten. */
function hashesOf(chats: readonly ChatCall[]): Map<string, string[]> {
  const byProject = Map.groupBy(chats, ({ call }) => call.projectId);
  return new Map(
    [...byProject].map(([projectId, ofProject]) => [projectId, [...new Set(ofProject.flatMap(candidatesOf))]]),
  );
}
