import { readDiagnosedConversations, type DiagnosedConversation } from '@clew/contracts';
import { answer, createApi, createServiceClient, listen, route, type ServiceClient } from '@clew/http';
import { silentLogger } from '@clew/testing';
import { createIdentities } from '@clew/testing/identities';

/** Loopback server for the one route of diagnostics-svc that a worker calls. */
export interface LoopbackDiagnostics {
  readonly client: ServiceClient;
  /** Conversations that it knows, by id. */
  readonly conversations: Map<string, DiagnosedConversation>;
  stop(): Promise<void>;
}

export async function startDiagnostics(): Promise<LoopbackDiagnostics> {
  const identities = createIdentities();
  const conversations: LoopbackDiagnostics['conversations'] = new Map();
  const read = route(readDiagnosedConversations, ({ body }) =>
    Promise.resolve(answer(200, { conversations: body.conversationIds.flatMap((id) => conversations.get(id) ?? []) })),
  );
  const { authenticate } = identities.at('diagnostics-svc');
  const listener = createApi({ authenticate, logger: silentLogger(), routes: [read] });
  const server = await listen(listener, { host: '127.0.0.1', port: 0 });
  const client = createServiceClient({
    baseUrl: `http://127.0.0.1:${server.port}`,
    serviceName: 'jobs-worker',
    sign: identities.signerOf('jobs-worker'),
  });
  return { client, conversations, stop: () => server.stop() };
}
