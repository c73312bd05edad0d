import {
  getStorageState,
  listActiveItems,
  listReadyConversations,
  readDiagnosedConversations,
  readKnowledgeItems,
  readReadySnapshots,
  readSnapshots,
  STREAMED,
  type ConversationSnapshot,
  type DiagnosedConversation,
  type KnowledgeItem,
  type ReadySnapshot,
  type StorageState,
} from '@clew/contracts';
import { answer, createApi, listen, route, type Route } from '@clew/http';
import { silentLogger } from '@clew/testing';
import type { Identities } from '@clew/testing/identities';

/** Loopback servers for the services from which Datasets collect. */
export interface LoopbackSources {
  readonly urls: { warehouse: string; diagnostics: string; knowledge: string };
  /** Ready conversations by project, in the order of their last activity. */
  readonly ready: Map<string, ReadySnapshot[]>;
  /** Snapshots by id. */
  readonly snapshots: Map<string, ConversationSnapshot>;
  /** Diagnoses of conversations, by their ids. */
  readonly diagnosed: Map<string, DiagnosedConversation>;
  /** Knowledge items by project, the newest first. */
  readonly items: Map<string, KnowledgeItem[]>;
  /** Stored bytes by project; the others have no quota. */
  readonly storage: Map<string, StorageState>;
  stop(): Promise<void>;
}

const NOTHING_STORED: StorageState = { telemetryBytes: 0, datasetBytes: 0, measuredAt: null, limit: null };

export async function startSources(identities: Identities): Promise<LoopbackSources> {
  const ready: LoopbackSources['ready'] = new Map();
  const snapshots: LoopbackSources['snapshots'] = new Map();
  const diagnosed: LoopbackSources['diagnosed'] = new Map();
  const items: LoopbackSources['items'] = new Map();
  const storage: LoopbackSources['storage'] = new Map();
  const serve = async (name: Parameters<Identities['at']>[0], routes: Route[]) => {
    const { authenticate } = identities.at(name);
    return await listen(createApi({ authenticate, logger: silentLogger(), routes }), { host: '127.0.0.1', port: 0 });
  };
  const warehouse = await serve('telemetry-warehouse', [
    route(getStorageState, async ({ params }) => answer(200, storage.get(params.projectId) ?? NOTHING_STORED)),
    route(listReadyConversations, async ({ params, query: { from, to, limit, order, cursor = '0' } }) => {
      const all = (ready.get(params.projectId) ?? []).filter(
        (each) => each.lastActivityAt >= from && each.lastActivityAt <= to,
      );
      const { page, nextCursor } = pageOf(order === 'latest' ? all.toReversed() : all, cursor, limit);
      return answer(200, { conversations: page, nextCursor });
    }),
    route(readReadySnapshots, async ({ params, body }) => {
      const all = ready.get(params.projectId) ?? [];
      return answer(200, { conversations: all.filter((each) => body.conversationIds.includes(each.conversationId)) });
    }),
    route(readSnapshots, async ({ body }, { response }) => {
      response.setHeader('content-type', 'application/x-ndjson');
      for (const id of body.snapshotIds) {
        const snapshot = snapshots.get(id);
        if (snapshot !== undefined) response.write(`${JSON.stringify(snapshot)}\n`);
      }
      response.end();
      return STREAMED;
    }),
  ]);
  const diagnostics = await serve('diagnostics-svc', [
    route(readDiagnosedConversations, async ({ body }) =>
      answer(200, { conversations: body.conversationIds.flatMap((id) => diagnosed.get(id) ?? []) }),
    ),
  ]);
  const knowledge = await serve('knowledge-svc', [
    route(listActiveItems, async ({ params, query: { limit, cursor = '0' } }) => {
      const { page, nextCursor } = pageOf(items.get(params.projectId) ?? [], cursor, limit);
      const listed = page.map(({ id: itemId, goalId, createdAt }) => ({ itemId, goalId, createdAt }));
      return answer(200, { items: listed, nextCursor });
    }),
    route(readKnowledgeItems, async ({ params, body }) =>
      answer(200, { items: (items.get(params.projectId) ?? []).filter(({ id }) => body.itemIds.includes(id)) }),
    ),
  ]);
  const servers = [warehouse, diagnostics, knowledge];
  const urlOf = ({ port }: { port: number }) => `http://127.0.0.1:${port}`;
  return {
    ...{ ready, snapshots, diagnosed, items, storage },
    urls: { warehouse: urlOf(warehouse), diagnostics: urlOf(diagnostics), knowledge: urlOf(knowledge) },
    async stop() {
      for (const server of servers) await server.stop();
    },
  };
}

function pageOf<Each>(all: readonly Each[], cursor: string, limit: number) {
  const end = Number(cursor) + limit;
  return { page: all.slice(Number(cursor), end), nextCursor: end < all.length ? String(end) : null };
}
