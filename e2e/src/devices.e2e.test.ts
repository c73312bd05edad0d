import { describe, expect, it } from '@jest/globals';
import { callApi } from './support/api.ts';
import { ownOrigin, signInAsOwner } from './support/people.ts';
import { runningStack } from './support/stack.ts';

const post = async <Body>(path: string, body: object) => {
  const response = await fetch(new URL(path, ownOrigin()), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Body & { code?: string } };
};

describe('a device', () => {
  it('gets a key for one project after the owner has approved its code, and reaches that project with it', async () => {
    const { projectId } = runningStack();
    const { body: started } = await post<{ deviceCode: string; userCode: string }>('/v1/auth/device', { name: 'e2e' });
    const owner = await signInAsOwner();
    const approval = { userCode: started.userCode, projectId };
    expect((await owner.call('POST', '/v1/auth/device/approve', approval)).status).toBe(200);
    const { deviceCode } = started;
    const { status, body } = await post<{ secret: string; apiKey: { id: string } }>('/v1/auth/device/token', {
      deviceCode,
    });
    expect(status).toBe(200);
    expect((await callApi(body.secret, `/v1/projects/${projectId}/diagnostics/findings`)).status).toBe(200);
    expect(await post('/v1/auth/device/token', { deviceCode })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_GRANT' },
    });
    await owner.call('DELETE', `/v1/projects/${projectId}/api-keys/${body.apiKey.id}`);
  });
});

describe('the ways to sign in', () => {
  it('of a stack without providers are passwords alone', async () => {
    const methods = await (await fetch(new URL('/v1/auth/methods', ownOrigin()))).json();
    expect(methods).toMatchObject({ password: true, providers: [] });
    expect((await fetch(new URL('/v1/auth/oidc/corp/start', ownOrigin()))).status).toBe(404);
  });
});
