import { listPrivateProjects, type PrivacySettings, type ServiceName } from '@clew/contracts';
import { answer, createApi, createServiceClient, listen, route, type ServiceClient } from '@clew/http';
import { silentLogger } from '@clew/testing';
import type { Identities } from '@clew/testing/identities';

/** Loopback server for the route of the telemetry warehouse with the privacy settings of projects. */
export interface LoopbackPrivacy {
  readonly url: string;
  /** Creates a client of a process that takes content. */
  clientFor(service: ServiceName): ServiceClient;
  /** Settings by project; the others have none. */
  readonly projects: Map<string, PrivacySettings>;
  /** Hook that runs before each answer; it may throw. */
  before: () => Promise<void> | void;
  stop(): Promise<void>;
}

export async function startLoopbackPrivacy(identities: Identities): Promise<LoopbackPrivacy> {
  const projects: LoopbackPrivacy['projects'] = new Map();
  const list = route(listPrivateProjects, async ({ query: { projectId: wanted } }) => {
    await server.before();
    const found = [...projects].filter(([projectId]) => wanted === undefined || projectId === wanted);
    return answer(200, { projects: found.map(([projectId, privacy]) => ({ projectId, privacy })), next: null });
  });
  const { authenticate } = identities.at('telemetry-warehouse');
  const listener = createApi({ authenticate, logger: silentLogger(), routes: [list] });
  const { port, stop } = await listen(listener, { host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${port}`;
  const server: LoopbackPrivacy = {
    ...{ url, projects },
    clientFor: (service) =>
      createServiceClient({ baseUrl: url, serviceName: service, sign: identities.signerOf(service) }),
    before: () => undefined,
    stop: () => stop(),
  };
  return server;
}
