import { readSnapshots, STREAMED, type ConversationSnapshot } from '@clew/contracts';
import { createApi, createServiceClient, listen, route, type ServiceClient } from '@clew/http';
import { AppError } from '@clew/kernel';
import { silentLogger } from '@clew/testing';
import { createIdentities } from '@clew/testing/identities';

/** A loopback provider of the one route of the telemetry warehouse that a worker calls. */
export interface LoopbackWarehouse {
  /** Calls it as a worker does; with `foreignKey`, signed with a key that it does not know. */
  clientFor(options?: { foreignKey?: boolean }): ServiceClient;
  /** The snapshots that it has, by id. */
  readonly snapshots: Map<string, ConversationSnapshot>;
  /** The request ids of what was asked, in order. */
  readonly asked: string[];
  /** What it does before it answers; may throw. */
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

/** What a warehouse under pressure answers. */
export function overloaded(): never {
  throw new AppError('OVERLOADED', 'Too much at once');
}
