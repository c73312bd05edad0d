import type { Connector, Finding, WorkItem } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { startLoopbackTracker, type LoopbackTracker } from '@clew/testing/issue-trackers';
import { findingIdOf } from '../findings/occurrence.ts';
import { connectorTo, makeConnector } from './connectors.ts';
import { detectionOf, resultOf } from './results.ts';
import type { TestService } from './service.ts';

export const PROVIDERS = ['github', 'gitlab', 'jira', 'linear'] as const;

/** Project with one Finding and a connector to a loopback tracker. */
export interface WorkItemWorld {
  projectId: string;
  findingId: string;
  tracker: LoopbackTracker;
  connector: Connector;
  /** Path of the Finding's work items. */
  path: string;
  finding(): Promise<Finding>;
  create(body?: object, headers?: Record<string, string>): Promise<Answer<WorkItem>>;
  act<Body = WorkItem>(item: WorkItem, action: string, body?: object): Promise<Answer<Body>>;
  read(item: Pick<WorkItem, 'id'>): Promise<WorkItem>;
}

export interface Answer<Body> {
  status: number;
  body: Body;
  headers: Headers;
}

export async function startWorld(
  service: TestService,
  provider: LoopbackTracker['provider'],
  { connector: changes = {} }: { connector?: object } = {},
): Promise<WorkItemWorld> {
  const projectId = newId('prj');
  const tracker = await startLoopbackTracker(provider, { now: () => service.clock.now() });
  const { connector } = await makeConnector(service, { ...connectorTo(tracker), ...changes }, { projectId });
  const findingId = await findingIn(service, projectId, 'loop');
  const path = `/findings/${findingId}/work-items`;
  const post = <Body>(to: string, body?: object, headers: Record<string, string> = {}) =>
    service.call<Body>({ method: 'POST', projectId, path: to, headers, ...(body === undefined ? {} : { body }) });
  return {
    ...{ projectId, findingId, tracker, connector, path },
    finding: async () => (await service.call<Finding>({ projectId, path: `/findings/${findingId}` })).body,
    create: (body = { provider }, headers) => post<WorkItem>(path, body, headers),
    act: (item, action, body) => post(`${path}/${item.id}/${action}`, body),
    read: async ({ id }) => (await service.call<WorkItem>({ projectId, path: `${path}/${id}` })).body,
  };
}

/** Has a conversation show a Finding, and returns its id. */
export async function findingIn(service: TestService, projectId: string, cluster: string): Promise<string> {
  await service.take(resultOf({ projectId, conversationId: `chat about ${cluster}`, found: { rule_a: [cluster] } }));
  return findingIdOf(projectId, detectionOf(cluster).clusterFingerprint);
}
