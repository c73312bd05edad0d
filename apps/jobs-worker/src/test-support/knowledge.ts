import { findNearItems, type NearItem } from '@clew/contracts';
import { createApi, createServiceClient, answer, listen, route, type ServiceClient } from '@clew/http';
import { silentLogger } from '@clew/testing';
import { createIdentities } from '@clew/testing/identities';

/** Loopback server for the one route of knowledge-svc that a worker calls. */
export interface LoopbackKnowledge {
  readonly client: ServiceClient;
  /** Items that are near to every statement. */
  near: NearItem[];
  /** Statements that were asked about, call by call. */
  readonly asked: string[][];
  stop(): Promise<void>;
}

export async function startKnowledge(): Promise<LoopbackKnowledge> {
  const identities = createIdentities();
  const asked: string[][] = [];
  const find = route(findNearItems, async ({ body }) => {
    asked.push(body.statements.map(({ content }) => content));
    return answer(200, { near: body.statements.map(() => knowledge.near) });
  });
  const { authenticate } = identities.at('knowledge-svc');
  const listener = createApi({ authenticate, logger: silentLogger(), routes: [find] });
  const server = await listen(listener, { host: '127.0.0.1', port: 0 });
  const knowledge: LoopbackKnowledge = {
    client: createServiceClient({
      baseUrl: `http://127.0.0.1:${server.port}`,
      ...{ serviceName: 'jobs-worker', sign: identities.signerOf('jobs-worker') },
    }),
    ...{ near: [], asked },
    stop: () => server.stop(),
  };
  return knowledge;
}

/** Client of a service that is away: nothing listens at its address. */
export function absentService(): ServiceClient {
  return createServiceClient({ baseUrl: 'http://127.0.0.1:1', serviceName: 'jobs-worker', sign: () => 'token' });
}
