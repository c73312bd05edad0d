import {
  listPrivateProjects,
  reportIngest,
  type IngestAllowance,
  type IngestCount,
  type PrivacySettings,
  type ServiceName,
} from '@clew/contracts';
import { answer, createApi, createServiceClient, listen, route, type ServiceClient } from '@clew/http';
import { silentLogger } from '@clew/testing';
import type { Identities } from '@clew/testing/identities';

/** Loopback server for the routes of the telemetry warehouse that processes need to take content. */
export interface LoopbackPrivacy {
  readonly url: string;
  /** Creates a client of a process that takes content. */
  clientFor(service: ServiceName): ServiceClient;
  /** Settings by project; the others have none. */
  readonly projects: Map<string, PrivacySettings>;
  /** Hook that runs before each answer; it may throw. */
  before: () => Promise<void> | void;
  /** Answers the report of a process; by default, without limits. It may throw. */
  allow: (count: IngestCount, replica: string) => IngestAllowance;
  stop(): Promise<void>;
}

const NO_LIMIT = { bytes: null, records: null };

export async function startLoopbackPrivacy(identities: Identities): Promise<LoopbackPrivacy> {
  const projects: LoopbackPrivacy['projects'] = new Map();
  const list = route(listPrivateProjects, async ({ query: { projectId: wanted } }) => {
    await server.before();
    const found = [...projects].filter(([projectId]) => wanted === undefined || projectId === wanted);
    return answer(200, { projects: found.map(([projectId, privacy]) => ({ projectId, privacy })), next: null });
  });
  const report = route(reportIngest, async ({ body: { replica, counts } }) =>
    answer(200, { allowances: counts.map((count) => server.allow(count, replica)) }),
  );
  const { authenticate } = identities.at('telemetry-warehouse');
  const listener = createApi({ authenticate, logger: silentLogger(), routes: [list, report] });
  const { port, stop } = await listen(listener, { host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${port}`;
  const server: LoopbackPrivacy = {
    ...{ url, projects },
    clientFor: (service) =>
      createServiceClient({ baseUrl: url, serviceName: service, sign: identities.signerOf(service) }),
    before: () => undefined,
    allow: ({ projectId, day, counted }) => ({
      ...{ projectId, day, limit: NO_LIMIT, used: counted, mayReach: NO_LIMIT, storage: null },
    }),
    stop: () => stop(),
  };
  return server;
}
