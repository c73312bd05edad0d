import { resolveSnapshot } from '@clew/contracts';
import { answer, createApi, listen, route, type Authenticate } from '@clew/http';
import { derivedId, notFound } from '@clew/kernel';
import { silentLogger } from '@clew/testing';

/** A loopback provider of the one route of the telemetry warehouse that this service calls. */
export interface LoopbackWarehouse {
  readonly url: string;
  /** The conversations that it knows: when each of their messages was said, and in which trace. */
  readonly conversations: Map<string, readonly { atMs: number; traceId: string }[]>;
  /** Of the requests that it took. */
  readonly requestIds: string[];
  /** From now on every request is answered 500. */
  fail(): void;
  stop(): Promise<void>;
}

export async function startWarehouse(authenticate: Authenticate): Promise<LoopbackWarehouse> {
  const conversations: LoopbackWarehouse['conversations'] = new Map();
  const requestIds: string[] = [];
  let failing = false;
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
  const listener = createApi({ authenticate, logger: silentLogger(), routes: [resolve] });
  const server = await listen(listener, { host: '127.0.0.1', port: 0 });
  let stopped: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${server.port}`,
    conversations,
    requestIds,
    fail() {
      failing = true;
    },
    stop: () => (stopped ??= server.stop()),
  };
}
