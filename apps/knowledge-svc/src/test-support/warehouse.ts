import {
  getReadySnapshot,
  listReadyConversations,
  readSnapshots,
  STREAMED,
  type ConversationSnapshot,
  type ReadySnapshot,
} from '@clew/contracts';
import { answer, createApi, listen, route, type Authenticate } from '@clew/http';
import { derivedId, notFound, sha256Hex } from '@clew/kernel';
import { silentLogger } from '@clew/testing';

/** Loopback server for the routes of the telemetry warehouse that this service calls. */
export interface LoopbackWarehouse {
  readonly url: string;
  /** Stored snapshots, by id. */
  readonly snapshots: Map<string, ConversationSnapshot>;
  /** Ready conversations by project, in the order of their last activity. */
  readonly ready: Map<string, readonly ReadySnapshot[]>;
  stop(): Promise<void>;
}

export async function startWarehouse(authenticate: Authenticate): Promise<LoopbackWarehouse> {
  const snapshots: LoopbackWarehouse['snapshots'] = new Map();
  const ready: LoopbackWarehouse['ready'] = new Map();
  const read = route(readSnapshots, async ({ params, body }, { response }) => {
    response.setHeader('content-type', 'application/x-ndjson');
    for (const snapshotId of body.snapshotIds) {
      const snapshot = snapshots.get(snapshotId);
      if (snapshot?.projectId === params.projectId) response.write(`${JSON.stringify(snapshot)}\n`);
    }
    response.end();
    return STREAMED;
  });
  const list = route(listReadyConversations, async ({ params, query }) => {
    const { from, to, limit, cursor = '0' } = query;
    const all = (ready.get(params.projectId) ?? []).filter(
      ({ lastActivityAt }) => lastActivityAt >= from && lastActivityAt <= to,
    );
    const end = Number(cursor) + limit;
    const conversations = all.slice(Number(cursor), end);
    return answer(200, { conversations, nextCursor: end < all.length ? String(end) : null });
  });
  const find = route(getReadySnapshot, async ({ params: { projectId, conversationId } }) => {
    const found = ready.get(projectId)?.find((each) => each.conversationId === conversationId);
    if (found === undefined) throw notFound('CONVERSATION_NOT_FOUND');
    return answer(200, { ...found, state: 'ready' });
  });
  const listener = createApi({ authenticate, logger: silentLogger(), routes: [read, list, find] });
  const server = await listen(listener, { host: '127.0.0.1', port: 0 });
  return { url: `http://127.0.0.1:${server.port}`, snapshots, ready, stop: () => server.stop() };
}

export type Said = Partial<ConversationSnapshot['messages'][number]> & { content: string };

export const SAID_AT = 1_780_000_000_000;
export const TRACE_ID = 'a'.repeat(32);

/** Snapshot of these messages, which alternate between user and assistant, beginning with the user. */
export function snapshotOf(
  projectId: string,
  conversationId: string,
  said: readonly Said[],
  { revision = 1, throughMs = SAID_AT + 1_000 }: { revision?: number; throughMs?: number } = {},
): ConversationSnapshot {
  const messages = said.map((message, index) => ({
    ...{ index, role: index % 2 === 0 ? ('user' as const) : ('assistant' as const) },
    ...{ traceId: TRACE_ID, spanId: 'b'.repeat(16), atMs: throughMs - said.length + index, ...message },
  }));
  const contentHash = sha256Hex(JSON.stringify(said));
  return {
    ...{ projectId, conversationId, contentHash, revision, scope: 'conversation', startedAt: SAID_AT, throughMs },
    ...{ snapshotId: derivedId('cesr', projectId, conversationId, String(revision)) },
    ...{ agents: [], models: [], userId: null, truncated: false, messages, tools: [], scores: [] },
  };
}

/** Entry for a snapshot in the list of ready conversations. */
export function readyOf(snapshot: ConversationSnapshot): ReadySnapshot {
  const { conversationId, snapshotId, contentHash, revision, startedAt, throughMs, messages, agents } = snapshot;
  return {
    ...{ conversationId, snapshotId, contentHash, revision, startedAt, agents },
    ...{ messagesHash: contentHash, lastActivityAt: throughMs, messageCount: messages.length },
  };
}
