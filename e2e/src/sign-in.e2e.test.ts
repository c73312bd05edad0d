import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Project } from '@clew/contracts';
import { callApi } from './support/api.ts';
import { ownOrigin, signInAsOwner } from './support/people.ts';
import { runningStack } from './support/stack.ts';
import { createTestProject } from './support/test-project.ts';

const json = async <Body>(response: Response) => (await response.json()) as Body;
const codeOf = async (response: Response) => [response.status, (await json<{ code: string }>(response)).code];

describe('the owner of the stack', () => {
  it('signs in with the password of stack.json, and reaches every service', async () => {
    const owner = await signInAsOwner();
    const me = await json<{ name: string }>(await owner.call('GET', '/v1/me'));
    expect(me).toMatchObject({ kind: 'user', email: runningStack().adminEmail, owner: true, projectIds: 'all' });
    const base = `/v1/projects/${runningStack().projectId}`;
    const paths = ['/conversations', '/diagnostics/findings', '/datasets', '/knowledge/goals', '/models/catalog'];
    for (const path of paths) expect([path, (await owner.call('GET', base + path)).status]).toEqual([path, 200]);
    expect(await (await owner.call('PATCH', '/v1/me', { name: 'Another name' })).json()).toEqual(
      await (await owner.call('GET', '/v1/me')).json(),
    );
    await owner.call('PATCH', '/v1/me', { name: me.name });
  });

  it('makes a project and a key for it, and the key works', async () => {
    const owner = await signInAsOwner();
    const project = await json<Project>(await owner.call('POST', '/v1/projects', { name: 'by a person' }));
    const key = await owner.call('POST', `/v1/projects/${project.id}/api-keys`, {
      name: 'k',
      scopes: ['workspace:read'],
    });
    const { secret } = await json<{ secret: string }>(key);
    expect((await callApi(secret, `/v1/projects/${project.id}`)).status).toBe(200);
    await callApi(runningStack().adminApiKey, `/v1/projects/${project.id}`, { method: 'DELETE' });
  });

  it('is signed out for good: the cookie opens nothing afterwards', async () => {
    const owner = await signInAsOwner();
    expect((await owner.call('POST', '/v1/auth/sign-out')).status).toBe(204);
    expect(await codeOf(await owner.call('GET', '/v1/me'))).toEqual([401, 'UNAUTHENTICATED']);
  });
});

describe('a page of another origin', () => {
  it.each<[string, Record<string, string>]>([
    ['in another tab', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['in a sandboxed frame', { origin: 'null' }],
    ['that sends JSON as text/plain', { origin: 'https://evil.example', 'content-type': 'text/plain' }],
  ])('%s changes nothing in the name of the owner, at the gateway and behind it', async (_name, headers) => {
    const owner = await signInAsOwner();
    const project = await createTestProject('foreign pages');
    const refused = [403, 'CROSS_ORIGIN'];
    expect(await codeOf(await owner.call('POST', '/v1/projects', { name: 'x' }, headers))).toEqual(refused);
    const goals = `/v1/projects/${project.id}/knowledge/goals`;
    const goal = { name: 'x', instruction: 'y' };
    expect(await codeOf(await owner.call('POST', goals, goal, headers))).toEqual(refused);
    expect((await owner.call('POST', goals, goal)).status).toBe(201);
  });
});

it('telemetry and models are not opened by a session', async () => {
  const owner = await signInAsOwner();
  const headers = { 'x-clew-project': runningStack().projectId };
  for (const path of ['/v1/traces', '/v1/chat/completions']) {
    expect((await owner.call('POST', path, {}, headers)).status).toBe(401);
  }
});

it('the pages are shown without script, and what they hold is text', async () => {
  const owner = await signInAsOwner();
  const page = await owner.call('GET', '/account');
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  const text = await page.text();
  expect(text).toContain(runningStack().adminEmail);
  expect(text).not.toContain('<script');
  const away = await fetch(new URL('/account', ownOrigin()), { redirect: 'manual' });
  expect([away.status, away.headers.get('location')]).toEqual([303, '/sign-in']);
});

it('no password and no session stands in a log', async () => {
  const { headers } = await signInAsOwner();
  const { adminPassword, adminEmail, logsDirectory } = runningStack();
  const wrong = 'a wrong password that is long';
  await fetch(new URL('/v1/auth/sign-in', ownOrigin()), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: ownOrigin() },
    body: JSON.stringify({ email: `nobody.${adminEmail}`, password: wrong }),
  });
  const secrets = [adminPassword, wrong, headers['cookie']?.split('=')[1] ?? ''];
  const logs = readdirSync(logsDirectory).filter((name) => name.startsWith('gateway'));
  expect(logs.length).toBeGreaterThan(0);
  for (const name of logs) {
    const text = readFileSync(join(logsDirectory, name), 'utf8');
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  }
});
