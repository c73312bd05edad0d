import {
  SCOPES,
  type ApiKey,
  type Conversation,
  type Finding,
  type Project,
  type ProjectErasure,
  type Scope,
} from '@clew/contracts';
import { eventually } from '@clew/testing';
import { callApi, type ApiRequest } from './api.ts';
import { runningStack } from './stack.ts';

/** Project used by one test only, with a key that has all scopes. */
export interface TestProject {
  id: string;
  apiKey: string;
  call<Body>(path: string, request?: ApiRequest): ReturnType<typeof callApi<Body>>;
  /** Waits until the conversation is ready. */
  readyConversation(conversationId: string): Promise<Conversation>;
  findings(query?: string): Promise<Finding[]>;
}

const READY_TIMEOUT_MS = 30_000;
const ERASURE_TIMEOUT_MS = 60_000;

export async function createTestProject(name: string): Promise<TestProject> {
  const { adminApiKey } = runningStack();
  const { body: project } = await callApi<Project>(adminApiKey, '/v1/projects', { body: { name } });
  const apiKey = (await createKey(project.id, { name })).secret;
  const call: TestProject['call'] = (path, request) => callApi(apiKey, `/v1/projects/${project.id}${path}`, request);
  return {
    id: project.id,
    apiKey,
    call,
    async readyConversation(conversationId) {
      return await eventually(
        async () => {
          const { status, body } = await call<Conversation>(`/conversations/${encodeURIComponent(conversationId)}`);
          if (status !== 200 || body.state !== 'ready') throw new Error(`${conversationId} is not ready (${status})`);
          return body;
        },
        { timeoutMs: READY_TIMEOUT_MS },
      );
    },
    async findings(query = '') {
      const { body } = await call<{ findings: Finding[] }>(`/diagnostics/findings?limit=500${query}`);
      return body.findings;
    },
  };
}

/** Deletes the project and waits until all of it is erased, so that no work of it is left to other tests' services. */
export async function deleteProject({ id }: TestProject): Promise<void> {
  const { adminApiKey } = runningStack();
  const { status, headers } = await callApi(adminApiKey, `/v1/projects/${id}`, { method: 'DELETE' });
  if (status !== 202) throw new Error(`Could not delete a project: ${status}`);
  await eventually(
    async () => {
      const { body } = await callApi<ProjectErasure>(adminApiKey, headers.get('location') ?? '');
      if (body.status !== 'completed') throw new Error('the project is not erased yet');
    },
    { timeoutMs: ERASURE_TIMEOUT_MS },
  );
}

export async function createKey(
  projectId: string,
  key: { name: string; scopes?: Scope[]; projectIds?: string[] | 'all'; expiresAt?: number },
): Promise<{ apiKey: ApiKey; secret: string }> {
  const { status, body } = await callApi<{ apiKey: ApiKey; secret: string }>(
    runningStack().adminApiKey,
    `/v1/projects/${projectId}/api-keys`,
    { body: { scopes: SCOPES, ...key } },
  );
  if (status !== 201) throw new Error(`Could not make a key: ${status} ${JSON.stringify(body)}`);
  return body;
}
