import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import type { Principal } from '@clew/contracts';
import { IDENTITY_HEADER, listen } from '@clew/http';
import type { Broker } from '@clew/messaging';
import type { Database } from '@clew/persistence';
import { createMetrics, createReadiness } from '@clew/runtime';
import { fixedClock, silentLogger } from '@clew/testing';
import { createIdentities, keyWith } from '@clew/testing/identities';
import { createWarehouse } from '../create-warehouse.ts';
import { PROJECT_ID, STARTED_AT } from './spans.ts';
import { createTestStores, QUIET_MS } from './stores.ts';

export interface Call {
  method?: 'GET' | 'POST';
  /** As it goes over the wire; within the project unless it begins with `//`. */
  path: string;
  body?: unknown;
  /** A key that may do everything here by default; null sends no identity. */
  principal?: Principal | null;
  projectId?: string;
  /** The project that the identity opens; that of the path by default. */
  identityProject?: string;
}

export interface Answer<Body> {
  status: number;
  body: Body;
}

/** One instance of the service, as its `main` wires it, on loopback; its background work is stepped by the test. */
export type TestService = Awaited<ReturnType<typeof startTestService>>;

/** Answers are checked against their schemas in every test. */
process.env['CLEW_CHECK_RESPONSES'] = 'true';

export async function startTestService(database: Database, broker?: Broker) {
  const identities = createIdentities();
  const clock = fixedClock(STARTED_AT);
  const warehouse = createWarehouse({
    config: {
      AUTH_SECRET: 'a secret of the tests, which is long enough',
      ...{ CONVERSATION_QUIET_MS: QUIET_MS, ASSEMBLER_CONCURRENCY: 2, MAX_BEAT_AGE_MS: 300_000 },
    },
    ...{ database, clock, broker: broker as Broker, logger: silentLogger() },
    authenticate: identities.authenticate,
    metrics: createMetrics('test'),
    info: { service: 'telemetry-warehouse', version: '0', deploymentTarget: 'server', startedAtMs: Date.now() },
    readiness: createReadiness([]),
  });
  const server = await listen(warehouse.listener, { host: '127.0.0.1', port: 0 });

  return {
    ...{ clock, warehouse },
    /** The writer and the assembler of the same database. */
    ...createTestStores(database, clock),
    async call<Body = Record<string, unknown>>(call: Call): Promise<Answer<Body>> {
      const { method = 'GET', projectId = PROJECT_ID, principal = keyWith('workspace:read', 'telemetry:write') } = call;
      const path = call.path.startsWith('//') ? call.path.slice(1) : `/v1/projects/${projectId}${call.path}`;
      const identity =
        principal === null
          ? {}
          : { [IDENTITY_HEADER]: identities.tokenOf(principal, call.identityProject ?? projectId) };
      const sent = call.body === undefined ? undefined : JSON.stringify(call.body);
      // `fetch` would take dots out of the path.
      const outgoing = request({
        ...{ host: '127.0.0.1', port: server.port, method, path },
        headers: { ...identity, ...(sent === undefined ? {} : { 'content-type': 'application/json' }) },
      });
      outgoing.end(sent);
      const [response] = await once(outgoing, 'response');
      return { status: response.statusCode, body: JSON.parse(await text(response)) as Body };
    },
    stop: () => server.stop(),
  };
}
