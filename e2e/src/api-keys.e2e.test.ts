import { describe, expect, it } from '@jest/globals';
import type { ErrorBody } from '@clew/kernel';
import type { ApiKey } from '@clew/contracts';
import { callApi } from './support/api.ts';
import { runningStack } from './support/stack.ts';
import { createKey, createTestProject } from './support/test-project.ts';

const LIST = '/diagnostics/findings';

describe('API keys', () => {
  it('a revoked key is refused at once, and revoking it again is no error', async () => {
    const project = await createTestProject('revoke');
    const { apiKey, secret } = await createKey(project.id, { name: 'short-lived' });
    const path = `/v1/projects/${project.id}${LIST}`;
    expect((await callApi(secret, path)).status).toBe(200);
    expect((await project.call(`/api-keys/${apiKey.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await callApi(secret, path)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    expect((await project.call(`/api-keys/${apiKey.id}`, { method: 'DELETE' })).status).toBe(204);
  });

  it('a rotated key lives on for its grace time, beside a successor with the same rights', async () => {
    const project = await createTestProject('rotate');
    const { apiKey, secret } = await createKey(project.id, { name: 'rotated', scopes: ['diagnostics:read'] });
    const path = `/v1/projects/${project.id}${LIST}`;
    const rotate = (keyId: string, graceMs: number) =>
      project.call<{ apiKey: ApiKey; secret: string }>(`/api-keys/${keyId}/rotate`, { body: { graceMs } });
    const { status, body } = await rotate(apiKey.id, 60_000);
    expect(status).toBe(201);
    expect(body.apiKey).toMatchObject({ scopes: ['diagnostics:read'], rotatedFrom: apiKey.id });
    expect((await callApi(secret, path)).status).toBe(200);
    expect((await callApi(body.secret, path)).status).toBe(200);
    const next = await rotate(body.apiKey.id, 0);
    expect((await callApi(body.secret, path)).status).toBe(401);
    expect((await callApi(next.body.secret, path)).status).toBe(200);
  });

  it('a key without the scope is refused with 403 that names it', async () => {
    const project = await createTestProject('scopes');
    const { secret } = await createKey(project.id, { name: 'writer', scopes: ['telemetry:write'] });
    const { status, body } = await callApi(secret, `/v1/projects/${project.id}${LIST}`);
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'FORBIDDEN' });
    expect(body.message).toContain('diagnostics:read');
  });

  it('an expired key is refused, also while a gateway remembers it', async () => {
    const project = await createTestProject('expiry');
    const expiresAt = Date.now() + 1_500;
    const { secret } = await createKey(project.id, { name: 'brief', expiresAt });
    const path = `/v1/projects/${project.id}${LIST}`;
    expect((await callApi(secret, path)).status).toBe(200);
    let status = 200;
    while (status === 200) ({ status } = await callApi(secret, path));
    expect({ status, inTime: Date.now() >= expiresAt }).toEqual({ status: 401, inTime: true });
  });

  it('a key never makes one with more than it has', async () => {
    const project = await createTestProject('escalation');
    const weak = await createKey(project.id, { name: 'weak', scopes: ['workspace:admin'] });
    const body = { name: 'strong', scopes: ['diagnostics:write'] };
    const path = `/v1/projects/${project.id}/api-keys`;
    expect((await callApi(weak.secret, path, { body })).status).toBe(403);
    const everywhere = { name: 'wide', scopes: ['workspace:admin'], projectIds: 'all' };
    expect((await callApi(weak.secret, path, { body: everywhere })).status).toBe(403);
  });

  it("another project's key gets the same 404 as for a missing thing", async () => {
    const project = await createTestProject('tenant');
    const { otherApiKey } = runningStack();
    const foreign = await callApi(otherApiKey, `/v1/projects/${project.id}${LIST}`);
    const missing = await callApi(project.apiKey, `/v1/projects/${project.id}/nothing`);
    const withoutId = ({ requestId: _requestId, ...body }: ErrorBody) => body;
    expect({ status: foreign.status, body: withoutId(foreign.body) }).toEqual({
      status: missing.status,
      body: withoutId(missing.body),
    });
  });

  it('a key for two projects needs x-clew-project where the path names none', async () => {
    const [first, second] = [await createTestProject('first'), await createTestProject('second')];
    const { secret } = await createKey(first.id, { name: 'both', projectIds: [first.id, second.id] });
    const send = (headers: Record<string, string>) =>
      callApi(secret, '/v1/traces', { body: { resourceSpans: [] }, headers });
    expect(await send({})).toMatchObject({ status: 400, body: { code: 'PROJECT_REQUIRED' } });
    expect((await send({ 'x-clew-project': second.id })).status).toBe(200);
    expect((await send({ 'x-clew-project': runningStack().otherProjectId })).status).toBe(404);
  });
});
