import type { Connector, Finding, TrackerProvider, WorkItem } from '@clew/contracts';
import { startLoopbackTracker, type LoopbackTracker } from '@clew/testing/issue-trackers';
import type { ApiRequest, ApiResponse } from './api.ts';
import { makeFinding } from './findings.ts';
import { createTestProject, type TestProject } from './test-project.ts';

export interface Synced {
  outcome: string;
  finding: Finding;
}

/** Project with a Finding and a connector to a tracker on loopback. */
export interface Handoff {
  provider: TrackerProvider;
  project: TestProject;
  tracker: LoopbackTracker;
  connector: Connector;
  /** Path of the Finding, below its project. */
  finding: string;
  read(): Promise<Finding>;
  /** Calls a path below that of the Finding's work items. */
  call<Body = WorkItem>(path?: string, request?: ApiRequest): Promise<ApiResponse<Body>>;
}

export async function startHandoff(provider: TrackerProvider): Promise<Handoff> {
  const project = await createTestProject(`work items at ${provider}`);
  const tracker = await startLoopbackTracker(provider);
  const connector = await connect(project, tracker);
  const finding = await makeFinding(project);
  return {
    ...{ provider, project, tracker, connector, finding },
    read: async () => (await project.call<Finding>(finding)).body,
    call: (path = '', request) => project.call(`${finding}/work-items${path}`, request),
  };
}

/** Connects a project with a tracker. */
export async function connect(project: TestProject, tracker: LoopbackTracker, other: object = {}): Promise<Connector> {
  const { provider, baseUrl, credentials, destination, webhookSecret } = tracker;
  const body = { provider, baseUrl, credentials, defaultDestination: destination, webhookSecret, ...other };
  const made = await project.call<Connector>('/diagnostics/connectors', { body });
  if (made.status !== 201) throw new Error(`No connector was made: ${made.status} ${JSON.stringify(made.body)}`);
  return made.body;
}
