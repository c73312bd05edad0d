import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiKey, AuditRecord, Connector } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { callApi } from './support/api.ts';
import { createKey, createTestProject, type TestProject } from './support/test-project.ts';

/** Words that must be in no entry of the audit. */
const CANARY = `canary${randomUUID().replaceAll('-', '')}`;
let project: TestProject;
let admin: { apiKey: ApiKey; secret: string };

interface Page {
  entries: AuditRecord[];
  nextCursor: string | null;
}

beforeAll(async () => {
  project = await createTestProject('audit');
  admin = await createKey(project.id, { name: 'auditor' });
});

async function read(query = ''): Promise<AuditRecord[]> {
  const { status, body } = await callApi<Page>(admin.secret, `/v1/audit?limit=500${query}`);
  expect(status).toBe(200);
  return body.entries;
}

const ask = <Body>(path: string, method: string, body?: unknown) =>
  callApi<Body>(admin.secret, `/v1/projects/${project.id}${path}`, { method, ...(body === undefined ? {} : { body }) });

describe('the audit', () => {
  it('has the deeds in every service once each, with who, from where and in which request, and no secret', async () => {
    const credentials = { token: `${CANARY}-token` };
    const connector = await ask<Connector>('/diagnostics/connectors', 'POST', {
      ...{ provider: 'github', credentials, webhookSecret: `${CANARY}-webhook` },
    });
    const requests = new Map([['connector.created', connector]]);
    const done = async (action: string, path: string, method: string, body?: unknown) => {
      const answer = await ask<never>(path, method, body);
      expect(answer.status).toBeLessThan(300);
      requests.set(action, answer);
      return answer;
    };
    await done('connector.changed', `/diagnostics/connectors/${connector.body.id}`, 'PATCH', {
      ...{ enabled: false, credentials: { token: `${CANARY}-next` } },
    });
    await done('webhook.created', '/webhooks', 'POST', {
      ...{ url: `https://hooks.example.com/services/${CANARY}`, events: ['*'], enabled: false },
    });
    await done('diagnostics-settings.changed', '/diagnostics/settings', 'PATCH', { dailyAdjudications: 7 });
    await done('knowledge-settings.changed', '/knowledge/settings', 'PATCH', { extractionEnabled: true });
    await done('telemetry-settings.changed', '/telemetry/settings', 'PATCH', { rawPayloadRetentionDays: 3 });
    await done('model-provider.created', '/models/providers', 'POST', {
      ...{ name: 'acme', baseUrl: 'https://api.acme.example/v1', apiKey: `${CANARY}-key` },
    });
    const dataset = await ask<{ id: string }>('/datasets', 'POST', { name: 'x', schema: { type: 'chat', version: 1 } });
    await done('dataset.deleted', `/datasets/${dataset.body.id}`, 'DELETE');
    await eventually(async () => {
      const actions = (await read(`&actor=${admin.apiKey.id}`)).map(({ action }) => action);
      expect(actions.toSorted()).toEqual([...requests.keys()].toSorted());
    });
    const entries = await read(`&actor=${admin.apiKey.id}`);
    for (const { action, projectId, address, requestId, actor } of entries) {
      expect({ action, requestId }).toEqual({
        action,
        requestId: requests.get(action)?.headers.get('x-service-request-id'),
      });
      expect({ projectId, address, actor }).toEqual({
        ...{ projectId: project.id, address: '127.0.0.1', actor: { kind: 'key', id: admin.apiKey.id } },
      });
    }
    expect(JSON.stringify(entries)).not.toContain(CANARY);
    expect(await read(`&target=${connector.body.id}&action=connector`)).toHaveLength(2);
  });

  it('is exported as the list has it, and shows nothing to a key of another project', async () => {
    const exported = await callApi<string>(admin.secret, '/v1/audit/export');
    const lines = exported.body.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as AuditRecord)).toEqual(await read());
    const stranger = await createTestProject('audit-stranger');
    const other = await createKey(stranger.id, { name: 'stranger' });
    const seen = await callApi<Page>(other.secret, `/v1/audit?projectId=${project.id}`);
    expect(seen.body.entries).toEqual([]);
    expect((await callApi(other.secret, `/v1/projects/${project.id}/audit`)).status).toBe(404);
  });
});
