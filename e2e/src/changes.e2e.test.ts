import { beforeAll, describe, expect, it } from '@jest/globals';
import type { InvitationLink } from '@clew/contracts';
import { publicRoutes } from '@clew/contracts/all-routes';
import { callApi, type ApiRequest } from './support/api.ts';
import { acceptLink } from './support/colleagues.ts';
import { createTestDataset, manualExample } from './support/datasets.ts';
import { makeFinding } from './support/findings.ts';
import { makeItem } from './support/knowledge.ts';
import { runningStack } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

interface Change {
  /** Path of the resource, below its project, or from the root (`/v1/...`). */
  path: string;
  body: object;
}

let project: TestProject;

beforeAll(async () => {
  project = await createTestProject('changes');
});

const provider = { name: 'acme', baseUrl: 'https://api.acme.example/v1' };

/** Keyed by operation: creates a resource and returns a change to it. */
const changes: Readonly<Record<string, () => Promise<Change>>> = {
  updateProject: async () => ({ path: '', body: { name: 'Another name' } }),
  updateDataset: async () => ({ path: (await createTestDataset(project)).path, body: { description: 'Other words' } }),
  updateExample: async () => {
    const { path } = await createTestDataset(project);
    const { body } = await project.call<{ id: string }>(`${path}/examples`, { body: manualExample('a') });
    return { path: `${path}/examples/${body.id}`, body: { tags: ['other'] } };
  },
  updateProvider: async () => {
    await project.call('/models/providers', { body: provider });
    return { path: '/models/providers/acme', body: { baseUrl: 'https://api.acme.example/v2', apiKey: 'sk-1' } };
  },
  updateModelSettings: async () => ({ path: '/models/settings', body: { dailySystemTokens: 1_000 } }),
  updateTelemetrySettings: async () => ({ path: '/telemetry/settings', body: { rawPayloadRetentionDays: 14 } }),
  updateKnowledgeSettings: async () => ({ path: '/knowledge/settings', body: { extractionEnabled: true } }),
  updateGoal: async () => {
    const { body } = await project.call<{ id: string }>('/knowledge/goals', {
      body: { name: 'a', instruction: 'Learn' },
    });
    return { path: `/knowledge/goals/${body.id}`, body: { instruction: 'Learn more', status: 'paused' } };
  },
  updateItem: async () => ({ path: await makeItem(project), body: { title: 'Days of deliveries' } }),
  updateExpectation: async () => {
    const expected = { statement: 'Never pay', check: { form: 'never_call', tools: ['pay'] } };
    const { body } = await project.call<{ id: string }>('/diagnostics/expectations', { body: expected });
    return { path: `/diagnostics/expectations/${body.id}`, body: { status: 'off', severity: 'high' } };
  },
  updateConnector: async () => {
    const connector = { provider: 'github', credentials: { token: 'token' } };
    const { body } = await project.call<{ id: string }>('/diagnostics/connectors', { body: connector });
    return { path: `/diagnostics/connectors/${body.id}`, body: { name: 'Ours', webhookSecret: 'secret' } };
  },
  updateFinding: async () => ({ path: await makeFinding(project), body: { reviewStatus: 'confirmed' } }),
  updateRule: async () => {
    const { body } = await project.call<{ rules: { ruleId: string }[] }>('/diagnostics/rules');
    return { path: `/diagnostics/rules/${body.rules[0]?.ruleId}`, body: { configuration: { minSignalScore: 0.9 } } };
  },
  updateWebhook: async () => {
    const webhook = { url: 'https://a.example/hook', events: ['*'] };
    const { body } = await project.call<{ id: string }>('/webhooks', { body: webhook });
    return { path: `/webhooks/${body.id}`, body: { events: ['finding.*'], enabled: false } };
  },
  updatePerson: async () => {
    const given = {
      email: `changed-${Date.now()}@example.com`,
      projectRoles: [{ projectId: project.id, role: 'viewer' }],
    };
    const { body } = await callApi<InvitationLink>(runningStack().adminApiKey, '/v1/invitations', { body: given });
    const { person } = (await acceptLink(body.link)).body;
    return { path: `/v1/people/${person.id}`, body: { name: 'Another name', state: 'deactivated' } };
  },
  updateDiagnosticSettings: async () => ({
    path: '/diagnostics/settings',
    body: { automaticSchedulingEnabled: false },
  }),
};

describe('a PATCH', () => {
  it.each(Object.keys(changes))('%s answers what a GET shows next, with its ETag', async (operation) => {
    const { path, body } = (await changes[operation]?.()) as Change;
    const call = (request?: ApiRequest) =>
      path.startsWith('/v1/') ? callApi(runningStack().adminApiKey, path, request) : project.call(path, request);
    const before = await call();
    const changed = await call({ method: 'PATCH', body });
    const after = await call();
    expect([changed.status, after.status]).toEqual([200, 200]);
    expect(changed.body).toEqual(after.body);
    expect(changed.body).not.toEqual(before.body);
    expect(changed.headers.get('etag')).toBe(after.headers.get('etag'));
  });

  it('of every kind that the API has is tried here', () => {
    const patches = publicRoutes().filter(
      // Changes that people make to themselves are tried by people who are signed in.
      ({ method, access }) => method === 'patch' && access.kind === 'caller' && access.scopes.length > 0,
    );
    expect(Object.keys(changes).toSorted()).toEqual(patches.map(({ operationId }) => operationId).toSorted());
  });
});
