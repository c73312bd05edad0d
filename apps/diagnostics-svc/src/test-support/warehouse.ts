import {
  getLatestConversation,
  getReadySnapshot,
  getSnapshot,
  listReadyConversations,
  resolveSnapshot,
  type ConversationMessage,
  type ConversationSnapshot,
  type ReadySnapshot,
} from '@clew/contracts';
import { answer, createApi, listen, route, type Authenticate, type Route } from '@clew/http';
import { AppError, derivedId, notFound, sha256Hex } from '@clew/kernel';
import { silentLogger } from '@clew/testing';

/** Loopback server for the routes of the telemetry warehouse that this service calls. */
export interface LoopbackWarehouse {
  readonly url: string;
  /** Known conversations, each with the time and the trace of its messages. */
  readonly conversations: Map<string, readonly { atMs: number; traceId: string }[]>;
  /** Stored snapshots, by id. */
  readonly snapshots: Map<string, ConversationSnapshot>;
  /** Conversations with their messages. */
  readonly spoken: SpokenConversation[];
  /** Ready conversations by project, in the order of their last activity. */
  readonly ready: Map<string, readonly ReadySnapshot[]>;
  /** Ids of the received requests, in order. */
  readonly requestIds: string[];
  /** Makes every request fail with 500, until it is called with `false`. */
  fail(isFailing?: boolean): void;
  /** Keeps lists of ready conversations waiting until the returned function is called. */
  hold(): () => void;
  stop(): Promise<void>;
}

export interface SpokenConversation {
  snapshot: ConversationSnapshot;
  /** `active`: the conversation has gone on since the snapshot; `new`: it was never ready. */
  state: 'ready' | 'active' | 'new';
  isSilent?: boolean;
}

export async function startWarehouse(authenticate: Authenticate): Promise<LoopbackWarehouse> {
  const conversations: LoopbackWarehouse['conversations'] = new Map();
  const snapshots: LoopbackWarehouse['snapshots'] = new Map();
  const ready: LoopbackWarehouse['ready'] = new Map();
  const spoken: SpokenConversation[] = [];
  const requestIds: string[] = [];
  let failing = false;
  let held = Promise.resolve();
  const resolve = route(resolveSnapshot, async ({ params, body }, { requestId }) => {
    requestIds.push(requestId);
    if (failing) throw new Error('The disk is full');
    const { projectId, conversationId } = params;
    const all = conversations.get(`${projectId}:${conversationId}`) ?? [];
    const wanted = body.traceIds === undefined ? undefined : new Set(body.traceIds);
    const shown = all.filter(({ atMs, traceId }) => atMs <= body.throughMs && (wanted?.has(traceId) ?? true));
    if (shown.length === 0) throw notFound('CONVERSATION_NOT_FOUND', 'unknown to the warehouse');
    return answer(200, { snapshotId: derivedId('cesr', conversationId, JSON.stringify(shown)), conversationId });
  });
  const read = route(getSnapshot, async ({ params: { projectId, snapshotId } }) => {
    if (failing) throw new Error('The disk is full');
    const said = spoken.map(({ snapshot }) => snapshot).find((snapshot) => snapshot.snapshotId === snapshotId);
    const snapshot = snapshots.get(snapshotId) ?? said;
    if (snapshot?.projectId !== projectId) throw notFound();
    return answer(200, snapshot);
  });
  const list = route(listReadyConversations, async ({ params, query }, { requestId }) => {
    requestIds.push(requestId);
    if (failing) throw new Error('The disk is full');
    await held;
    const { from, to, limit, cursor = '0' } = query;
    const all = (ready.get(params.projectId) ?? []).filter(
      ({ lastActivityAt }) => lastActivityAt >= from && lastActivityAt <= to,
    );
    const end = Number(cursor) + limit;
    return answer(200, {
      conversations: all.slice(Number(cursor), end),
      nextCursor: end < all.length ? String(end) : null,
    });
  });
  const listener = createApi({
    authenticate,
    logger: silentLogger(),
    routes: [resolve, list, read, ...spokenRoutes(spoken, () => failing)],
  });
  const server = await listen(listener, { host: '127.0.0.1', port: 0 });
  let stopped: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${server.port}`,
    conversations,
    snapshots,
    spoken,
    ready,
    requestIds,
    fail(isFailing = true) {
      failing = isFailing;
    },
    hold() {
      const { promise, resolve: release } = Promise.withResolvers<void>();
      held = promise;
      return release;
    },
    stop: () => (stopped ??= server.stop()),
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

/** Ready conversations, a second apart from `firstAtMs` on. */
export function readyConversations(count: number, firstAtMs: number): ReadySnapshot[] {
  return Array.from({ length: count }, (_, index) => {
    const conversationId = `chat ${index}`;
    const lastActivityAt = firstAtMs + 1_000 * index;
    return {
      ...{ conversationId, snapshotId: derivedId('cesr', conversationId), revision: 1, messageCount: 2, agents: [] },
      ...{ contentHash: sha256Hex(conversationId), messagesHash: sha256Hex(conversationId) },
      ...{ startedAt: firstAtMs, lastActivityAt },
    };
  });
}

function spokenRoutes(spoken: readonly SpokenConversation[], isFailing: () => boolean): Route[] {
  const inProject = (projectId: string) => {
    if (isFailing()) throw new Error('The disk is full');
    return spoken.filter(({ snapshot }) => snapshot.projectId === projectId);
  };
  return [
    route(getLatestConversation, async ({ params }) => {
      const [latest] = inProject(params.projectId).toSorted((a, b) => b.snapshot.startedAt - a.snapshot.startedAt);
      if (latest === undefined) throw notFound('CONVERSATION_NOT_FOUND');
      return answer(200, { conversationId: latest.snapshot.conversationId });
    }),
    route(getReadySnapshot, async ({ params }) => {
      const known = inProject(params.projectId).find(
        ({ snapshot }) => snapshot.conversationId === params.conversationId,
      );
      if (known === undefined) throw notFound('CONVERSATION_NOT_FOUND');
      if (known.state === 'new') throw new AppError('CONVERSATION_NOT_READY', 'not yet');
      const { conversationId, snapshotId, contentHash, revision, startedAt, throughMs, messages } = known.snapshot;
      return answer(200, {
        ...{ conversationId, snapshotId, contentHash, messagesHash: contentHash, revision, startedAt },
        ...{ lastActivityAt: throughMs, messageCount: known.isSilent === true ? 0 : messages.length, agents: [] },
        state: known.state,
      });
    }),
  ];
}

const SAID_AT = 1_700_000_000_000;

/** Snapshot of these messages, which alternate between user and assistant, beginning with the user. */
export function snapshotOfTexts(
  projectId: string,
  texts: readonly string[],
  overrides: Partial<ConversationSnapshot> = {},
): ConversationSnapshot {
  const { conversationId = 'a chat', revision = 1, startedAt = SAID_AT } = overrides;
  const messages = texts.map((content, index): ConversationMessage => ({
    ...{ index, role: index % 2 === 0 ? ('user' as const) : ('assistant' as const), content },
    ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), atMs: startedAt + index },
  }));
  return {
    ...{ projectId, conversationId, contentHash: sha256Hex(texts.join()), revision, scope: 'conversation', startedAt },
    ...{ snapshotId: derivedId('cesr', projectId, conversationId, String(revision)) },
    ...{ throughMs: startedAt + texts.length, agents: [], models: [], userId: null, truncated: false },
    ...{ messages, tools: [], scores: [] },
    ...overrides,
  };
}

/** Conversation in which the user has to correct the assistant. */
export const CORRECTED = [
  'Which day is the delivery?',
  'Your delivery is on Tuesday.',
  "No, that's wrong. I said the order of last week, not this one.",
  'I am sorry, it is on Friday.',
];

/** Conversation in which nothing goes wrong. */
export const CLEAN = ['Which day is the delivery?', 'Your delivery is on Tuesday.', 'Thank you!', 'You are welcome.'];
