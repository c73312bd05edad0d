import { readSnapshots, STREAMED, type ConversationSnapshot } from '@clew/contracts';
import { createApi, createServiceClient, listen, route, type ServiceClient } from '@clew/http';
import { AppError } from '@clew/kernel';
import { silentLogger } from '@clew/testing';
import { createIdentities } from '@clew/testing/identities';

/** Loopback server for the one route of the telemetry warehouse that a worker calls. */
export interface LoopbackWarehouse {
  /** Creates a client as a worker has it; with `foreignKey`, it signs with a key that the server does not know. */
  clientFor(options?: { foreignKey?: boolean }): ServiceClient;
  /** Stored snapshots, by id. */
  readonly snapshots: Map<string, ConversationSnapshot>;
  /** Request ids of the calls received, in order. */
  readonly asked: string[];
  /** Hook that runs before each answer; it may throw. */
  before: () => Promise<void> | void;
  stop(): Promise<void>;
}

export async function startWarehouse(): Promise<LoopbackWarehouse> {
  const [identities, foreign] = [createIdentities(), createIdentities()];
  const snapshots: LoopbackWarehouse['snapshots'] = new Map();
  const asked: string[] = [];
  const read = route(readSnapshots, async ({ params, body }, { requestId, response }) => {
    asked.push(requestId);
    await warehouse.before();
    response.setHeader('content-type', 'application/x-ndjson');
    for (const snapshotId of body.snapshotIds.toSorted()) {
      const snapshot = snapshots.get(snapshotId);
      if (snapshot?.projectId === params.projectId) response.write(`${JSON.stringify(snapshot)}\n`);
    }
    response.end();
    return STREAMED;
  });
  const { authenticate } = identities.at('telemetry-warehouse');
  const listener = createApi({ authenticate, logger: silentLogger(), routes: [read] });
  const server = await listen(listener, { host: '127.0.0.1', port: 0 });
  const warehouse: LoopbackWarehouse = {
    ...{ snapshots, asked },
    clientFor: ({ foreignKey = false } = {}) =>
      createServiceClient({
        baseUrl: `http://127.0.0.1:${server.port}`,
        serviceName: 'jobs-worker',
        sign: (foreignKey ? foreign : identities).signerOf('jobs-worker'),
      }),
    before: () => undefined,
    stop: () => server.stop(),
  };
  return warehouse;
}

/** Answers like a warehouse under pressure. */
export function overloaded(): never {
  throw new AppError('OVERLOADED', 'Too much at once');
}
