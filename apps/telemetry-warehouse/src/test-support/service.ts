import { request, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import type { Principal, ServiceName } from '@clew/contracts';
import { withDatabase } from '@clew/host';
import { createServiceClient, IDENTITY_HEADER } from '@clew/http';
import type { Database } from '@clew/persistence';
import { fixedClock, type TestEnvironment } from '@clew/testing';
import { openTestHost } from '@clew/testing-host';
import { keyWith } from '@clew/testing/identities';
import { WarehouseConfig } from '../config.ts';
import { createWarehouse } from '../create-warehouse.ts';
import { PROJECT_ID, STARTED_AT } from './spans.ts';
import { createTestStores, NO_SERVICES, QUIET_MS } from './stores.ts';

export interface Call {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path as sent; relative to the project unless it begins with `//`. */
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Principal of the request: by default a key that may do everything here; null sends no identity. */
  principal?: Principal | null;
  projectId?: string;
  /** Project that the identity opens; by default that of the path. */
  identityProject?: string;
}

export interface Answer<Body> {
  status: number;
  headers: IncomingHttpHeaders;
  body: Body;
}

/** One instance of the service on loopback, wired as in its `main`; the test steps its background tasks. */
export type TestService = Awaited<ReturnType<typeof startTestService>>;

export async function startTestService(environment: TestEnvironment, database: Database) {
  const host = await openTestHost(environment, {
    name: 'telemetry-warehouse',
    config: WarehouseConfig,
    variables: { CONVERSATION_QUIET_MS: String(QUIET_MS) },
    clock: fixedClock(STARTED_AT),
  });
  const { clock, identities } = host;
  const { url, app, start, stop } = await host.serve(
    createWarehouse({ ...withDatabase(host, database), erased: NO_SERVICES }),
  );
  const { hostname, port } = new URL(url);

  return {
    ...{ clock, warehouse: app, publisher: host.publisher, broker: host.broker },
    /** Starts its background tasks, which the test then steps no more. */
    start,
    /** Writer and assembler of the same database. */
    ...createTestStores(database, clock),
    async call<Body = Record<string, unknown>>(call: Call): Promise<Answer<Body>> {
      const { method = 'GET', projectId = PROJECT_ID, principal = keyWith('workspace:read', 'telemetry:write') } = call;
      const path = call.path.startsWith('//') ? call.path.slice(1) : `/v1/projects/${projectId}${call.path}`;
      const identity =
        principal === null
          ? {}
          : {
              [IDENTITY_HEADER]: identities
                .at('telemetry-warehouse')
                .tokenOf(principal, call.identityProject ?? projectId),
            };
      const sent = call.body === undefined ? undefined : JSON.stringify(call.body);
      // `fetch` would remove dot segments from the path.
      const outgoing = request({
        ...{ host: hostname, port, method, path },
        headers: {
          ...identity,
          ...call.headers,
          ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        },
      });
      outgoing.end(sent);
      const [response] = await once(outgoing, 'response');
      const received = await text(response);
      const { statusCode: status, headers } = response;
      return { status, headers, body: (received === '' ? null : JSON.parse(received)) as Body };
    },
    /** Client that calls the service as another process does. */
    clientOf: (serviceName: ServiceName) =>
      createServiceClient({ baseUrl: url, serviceName, sign: identities.signerOf(serviceName) }),
    async stop() {
      await stop();
      await host.close();
    },
  };
}
