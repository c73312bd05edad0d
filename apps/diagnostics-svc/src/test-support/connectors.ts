import type { Connector } from '@clew/contracts';
import { newId } from '@clew/kernel';
import type { LoopbackTracker } from '@clew/testing/issue-trackers';
import type { TestService } from './service.ts';

export const CONNECTORS_PATH = '/connectors';

/** Body that connects a loopback tracker. */
export function connectorTo({ provider, baseUrl, credentials, destination, webhookSecret }: LoopbackTracker) {
  return { provider, baseUrl, credentials, defaultDestination: destination, webhookSecret };
}

export interface MadeConnector {
  projectId: string;
  connector: Connector;
  etag: string;
}

/** Makes a connector, which must be possible. */
export async function makeConnector(
  service: TestService,
  body: object,
  { projectId = newId('prj'), headers = {} }: { projectId?: string; headers?: Record<string, string> } = {},
): Promise<MadeConnector> {
  const made = await service.call<Connector>({ method: 'POST', projectId, path: CONNECTORS_PATH, body, headers });
  if (made.status !== 201) throw new Error(`${made.status}: ${JSON.stringify(made.body)}`);
  return { projectId, connector: made.body, etag: made.headers.get('etag') ?? '' };
}
