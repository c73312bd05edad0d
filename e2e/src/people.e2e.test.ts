import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiKey, InvitationLink, Person, ResetLink, Role } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { callApi, type ApiResponse } from './support/api.ts';
import {
  acceptLink,
  givenTokens,
  callAsBrowser,
  invite,
  newColleague,
  signedIn,
  signInOwner,
  tokenOf,
  type SignedInPerson,
} from './support/colleagues.ts';
import { runningStack } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

let owner: SignedInPerson;
let project: TestProject;
let other: TestProject;

beforeAll(async () => {
  owner = await signInOwner();
  project = await createTestProject('people');
  other = await createTestProject('other people');
});

const roleIn = ({ id: projectId }: TestProject, role: Role) => ({ projectRoles: [{ projectId, role }] });
const findingsOf = ({ id }: TestProject) => `/v1/projects/${id}/diagnostics/findings`;
const settingsOf = ({ id }: TestProject) => `/v1/projects/${id}/diagnostics/settings`;
const memberOf = ({ id }: TestProject, { person }: SignedInPerson) => `/v1/projects/${id}/members/${person.id}`;
const within = { timeoutMs: 1_000 };

function shapeOf({ status, body }: ApiResponse<unknown>) {
  const { requestId: _, ...rest } = body as Record<string, unknown>;
  return { status, ...rest };
}

describe('a colleague who is invited without mail', () => {
  it('opens the link, sees that project and no other, and works with the rights of the role', async () => {
    const { link, invitation } = await invite(owner, roleIn(project, 'editor'));
    expect(invitation.mail).toBe('off');
    expect(link.startsWith(`${runningStack().gatewayUrl}/invitations/`)).toBe(true);
    const page = await callAsBrowser<string>('GET', new URL(link).pathname);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.body).toContain(invitation.email);
    const colleague = signedIn(await acceptLink(link));
    const { body: me } = await colleague.call('GET', '/v1/me');
    expect(me).toMatchObject({ kind: 'user', id: colleague.person.id, projectIds: [project.id] });
    expect((await colleague.call('GET', findingsOf(project))).status).toBe(200);
    expect((await colleague.call('GET', findingsOf(other))).status).toBe(404);
    const change = { automaticSchedulingEnabled: false };
    expect((await colleague.call('PATCH', settingsOf(project), change)).status).toBe(200);
    expect((await colleague.call('GET', `/v1/projects/${project.id}/members`)).status).toBe(403);
  });

  it('accepts on a page without script, and is told there what is wrong', async () => {
    const { link } = await invite(owner, roleIn(project, 'viewer'));
    const { pathname } = new URL(link);
    const post = (fields: Record<string, string>) =>
      fetch(new URL(pathname, runningStack().gatewayUrl), {
        method: 'POST',
        redirect: 'manual',
        headers: { 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams(fields),
      });
    const refused = await post({ name: 'Colleague', password: 'short' });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('role="alert"')]);
    const accepted = await post({ name: 'Colleague', password: 'bluish tractor overhead' });
    expect([accepted.status, accepted.headers.get('location')]).toEqual([303, '/']);
    expect(accepted.headers.get('set-cookie')).toContain('HttpOnly');
    expect((await callAsBrowser('GET', pathname)).status).toBe(404);
  });

  it('has a new role in all services within a second', async () => {
    const colleague = await newColleague(owner, roleIn(project, 'editor'));
    const change = { automaticSchedulingEnabled: true };
    expect((await colleague.call('PATCH', settingsOf(project), change)).status).toBe(200);
    await owner.call('PUT', memberOf(project, colleague), { role: 'viewer' });
    await eventually(async () => {
      expect((await colleague.call('PATCH', settingsOf(project), change)).status).toBe(403);
    }, within);
    await owner.call('DELETE', memberOf(project, colleague));
    await eventually(async () => expect((await colleague.call('GET', findingsOf(project))).status).toBe(404), within);
    expect((await owner.call('PUT', memberOf(other, colleague), { role: 'viewer' })).status).toBe(200);
    await eventually(async () => expect((await colleague.call('GET', findingsOf(other))).status).toBe(200), within);
  });
});

describe('a link', () => {
  it('that was used, withdrawn or replaced, or never was, has one answer', async () => {
    const used = await invite(owner, roleIn(project, 'viewer'));
    await acceptLink(used.link);
    const withdrawn = await invite(owner, roleIn(project, 'viewer'));
    await owner.call('DELETE', `/v1/invitations/${withdrawn.invitation.id}`);
    const replaced = await invite(owner, roleIn(project, 'viewer'));
    const { body } = await owner.call<InvitationLink>('POST', `/v1/invitations/${replaced.invitation.id}/link`);
    const links = [used.link, withdrawn.link, replaced.link, `x/${'x'.repeat(43)}`];
    const answers = [];
    for (const link of links) {
      answers.push(shapeOf(await acceptLink(link)));
      answers.push(shapeOf(await callAsBrowser('GET', `/v1/auth/invitations/${tokenOf(link)}`)));
    }
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect((await acceptLink(body.link)).status).toBe(200);
  });

  it('to set a password works once and ends all sessions', async () => {
    const colleague = await newColleague(owner, roleIn(project, 'viewer'));
    const { person } = colleague;
    const { status, body } = await owner.call<ResetLink>('POST', `/v1/people/${person.id}/reset-links`);
    expect(status).toBe(201);
    givenTokens.add(tokenOf(body.link));
    const use = () =>
      callAsBrowser<{ person: Person }>('POST', `/v1/auth/resets/${tokenOf(body.link)}`, {
        password: 'overhead bluish tractor',
      });
    const again = signedIn(await use());
    await eventually(async () => expect((await colleague.call('GET', '/v1/me')).status).toBe(401), within);
    expect((await again.call('GET', '/v1/me')).status).toBe(200);
    expect((await use()).status).toBe(404);
  });
});

describe('nobody', () => {
  it('gives more than they have', async () => {
    const admin = await newColleague(owner, roleIn(project, 'admin'));
    const target = await newColleague(owner, roleIn(other, 'viewer'));
    expect((await admin.call('PUT', memberOf(project, target), { role: 'admin' })).status).toBe(200);
    expect((await admin.call('PUT', memberOf(other, target), { role: 'viewer' })).status).toBe(404);
    const inviting = (body: object) => admin.call('POST', '/v1/invitations', { email: 'x@example.com', ...body });
    expect((await inviting(roleIn(other, 'viewer'))).status).toBe(403);
    expect((await inviting({ role: 'owner' })).status).toBe(403);
    expect((await admin.call('PATCH', `/v1/people/${admin.person.id}`, { owner: true })).status).toBe(403);
    expect((await admin.call('POST', `/v1/people/${owner.person.id}/reset-links`)).status).toBe(403);
    const { adminApiKey } = runningStack();
    const body = { owner: true };
    const byKey = await callApi(adminApiKey, `/v1/people/${admin.person.id}`, { method: 'PATCH', body });
    expect(byKey.status).toBe(403);
  });

  it('signs in, or uses a key, after they were deactivated', async () => {
    const colleague = await newColleague(owner, roleIn(project, 'admin'));
    const { body } = await colleague.call<{ apiKey: ApiKey; secret: string }>(
      'POST',
      `/v1/projects/${project.id}/api-keys`,
      { name: 'mine', scopes: ['diagnostics:read'] },
    );
    expect((await callApi(body.secret, findingsOf(project))).status).toBe(200);
    const path = `/v1/people/${colleague.person.id}`;
    expect((await owner.call('PATCH', path, { state: 'deactivated' })).status).toBe(200);
    await eventually(async () => {
      expect((await colleague.call('GET', '/v1/me')).status).toBe(401);
      expect((await callApi(body.secret, findingsOf(project))).status).toBe(401);
    }, within);
    const credentials = { email: colleague.person.email, password: 'bluish tractor overhead' };
    expect((await callAsBrowser('POST', '/v1/auth/sign-in', credentials)).status).toBe(401);
    expect((await owner.call('DELETE', path)).status).toBe(204);
    expect((await owner.call('GET', path)).status).toBe(404);
  });
});

it('no token of a link is in a log', async () => {
  const { logsDirectory } = runningStack();
  expect(givenTokens.size).toBeGreaterThan(0);
  for (const name of await readdir(logsDirectory)) {
    const log = await readFile(join(logsDirectory, name), 'utf8');
    for (const token of givenTokens) expect(log).not.toContain(token);
  }
});
