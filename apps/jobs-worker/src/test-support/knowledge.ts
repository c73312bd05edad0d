import { findNearItems, readKnowledgeItems, type KnowledgeItem, type NearItem } from '@clew/contracts';
import { createApi, createServiceClient, answer, listen, route, type ServiceClient } from '@clew/http';
import { silentLogger } from '@clew/testing';
import { createIdentities } from '@clew/testing/identities';

/** Loopback server for the routes of knowledge-svc that a worker calls. */
export interface LoopbackKnowledge {
  readonly client: ServiceClient;
  /** Items that are near to every statement. */
  near: NearItem[];
  /** Items that it has, by id. */
  readonly items: Map<string, KnowledgeItem>;
  /** Statements that were asked about, call by call. */
  readonly asked: string[][];
  stop(): Promise<void>;
}

export async function startKnowledge(): Promise<LoopbackKnowledge> {
  const identities = createIdentities();
  const asked: string[][] = [];
  const items: LoopbackKnowledge['items'] = new Map();
  const find = route(findNearItems, async ({ body }) => {
    asked.push(body.statements.map(({ content }) => content));
    return answer(200, { near: body.statements.map(() => knowledge.near) });
  });
  const read = route(readKnowledgeItems, ({ body }) =>
    Promise.resolve(answer(200, { items: body.itemIds.flatMap((id) => items.get(id) ?? []) })),
  );
  const { authenticate } = identities.at('knowledge-svc');
  const listener = createApi({ authenticate, logger: silentLogger(), routes: [find, read] });
  const server = await listen(listener, { host: '127.0.0.1', port: 0 });
  const knowledge: LoopbackKnowledge = {
    client: createServiceClient({
      baseUrl: `http://127.0.0.1:${server.port}`,
      ...{ serviceName: 'jobs-worker', sign: identities.signerOf('jobs-worker') },
    }),
    ...{ near: [], asked, items },
    stop: () => server.stop(),
  };
  return knowledge;
}

/** Client of a service that is away: nothing listens at its address. */
export function absentService(): ServiceClient {
  return createServiceClient({ baseUrl: 'http://127.0.0.1:1', serviceName: 'jobs-worker', sign: () => 'token' });
}
