import { afterEach, describe, expect, it } from '@jest/globals';
import { newId } from '@clew/kernel';
import { ROLE_PERMISSIONS, type Role } from '@clew/contracts';
import { startFront, type Front } from '../test-support/front.ts';
import { OTHER_PROJECT, PROJECT, WORKSPACE } from '../test-support/keys.ts';
import { PUBLIC_URL, testPerson, type TestPerson } from '../test-support/people.ts';
import { startUpstream, type Upstream } from '../test-support/upstream.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const memberOf = (role: Role) => testPerson([{ projectId: PROJECT, role }]);
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

async function start(...people: TestPerson[]): Promise<{ front: Front; upstream: Upstream }> {
  const upstream = await startUpstream((_request, response) => void response.end('{}'));
  const projects = { [OTHER_PROJECT]: WORKSPACE };
  const front = await startFront({ upstreamUrl: upstream.url, people, projects });
  closing.push(upstream.close, front.stop);
  return { front, upstream };
}

const ask = (front: Front, { cookie }: TestPerson, path: string, init: RequestInit = {}) =>
  fetch(`${front.url}${path}`, { redirect: 'manual', ...init, headers: { cookie, ...init.headers } });

const goals = (projectId: string) => `/v1/projects/${projectId}/knowledge/learning-goals`;

describe('a person who is signed in', () => {
  it.each(['viewer', 'editor', 'admin'] as const)('reaches a service with the permissions of a %s', async (role) => {
    const person = memberOf(role);
    const { front, upstream } = await start(person);
    expect((await ask(front, person, goals(PROJECT))).status).toBe(200);
    const [seen] = upstream.seen;
    const principal = { kind: 'user', id: person.user.id, permissions: ROLE_PERMISSIONS[role] };
    expect(seen === undefined ? undefined : front.callerOf(seen)).toEqual({ principal, projectId: PROJECT });
    expect(seen?.headers).not.toHaveProperty('cookie');
  });

  it('finds the projects of others missing, as a project that does not exist', async () => {
    const person = memberOf('admin');
    const { front, upstream } = await start(person);
    const bodies = await Promise.all(
      [OTHER_PROJECT, newId('prj')].map(async (projectId) => {
        const response = await ask(front, person, goals(projectId));
        expect(response.status).toBe(404);
        return { ...((await response.json()) as object), requestId: '' };
      }),
    );
    expect(bodies[0]).toEqual(bodies[1]);
    expect(upstream.seen).toEqual([]);
  });

  it('finds a project missing that was deleted while they were a member', async () => {
    const gone = newId('prj');
    const person = testPerson([{ projectId: gone, role: 'admin' }]);
    const { front } = await start(person);
    expect((await ask(front, person, goals(gone))).status).toBe(404);
  });

  it('finds every project of the workspace as an owner', async () => {
    const owner = testPerson('owner');
    const { front } = await start(owner);
    for (const projectId of [PROJECT, OTHER_PROJECT])
      expect((await ask(front, owner, goals(projectId))).status).toBe(200);
    expect((await ask(front, owner, goals(newId('prj')))).status).toBe(404);
  });

  it('has an internal identity of their new rights at once, though the old one was cached', async () => {
    const person = memberOf('admin');
    const { front, upstream } = await start(person);
    await ask(front, person, goals(PROJECT));
    person.user.memberships = [{ projectId: PROJECT, role: 'viewer' }];
    person.user.version += 1;
    front.authenticator.forget(person.user.id);
    await ask(front, person, goals(PROJECT));
    const permissions = upstream.seen.map((seen) => front.callerOf(seen)?.principal);
    expect(permissions).toMatchObject([
      { permissions: ROLE_PERMISSIONS.admin },
      { permissions: ROLE_PERMISSIONS.viewer },
    ]);
  });

  it('is counted in the log by their own id, and their cookie is nowhere', async () => {
    const person = memberOf('viewer');
    const { front } = await start(person);
    await ask(front, person, goals(PROJECT));
    expect(front.log).toContainEqual(expect.objectContaining({ userId: person.user.id, route: 'knowledge-svc' }));
    expect(JSON.stringify(front.log)).not.toContain(person.cookie.split('=')[1]);
  });
});

describe('the cookie of a session', () => {
  it('counts for nothing beside a key, whether that is good or not', async () => {
    const person = memberOf('viewer');
    const { front, upstream } = await start(person);
    const keyed = await ask(front, person, goals(PROJECT), { headers: { authorization: front.key.authorization } });
    expect(keyed.status).toBe(200);
    const [seen] = upstream.seen;
    expect(seen === undefined ? undefined : front.callerOf(seen)?.principal.id).toBe(front.key.key.id);
    for (const authorization of ['Bearer nothing', 'Basic x', '']) {
      expect((await ask(front, person, goals(PROJECT), { headers: { authorization } })).status).toBe(401);
    }
  });

  it.each([
    ['POST', '/v1/traces'],
    ['POST', '/v1/logs'],
    ['POST', '/v1/chat/completions'],
    ['POST', '/v1/completions'],
    ['POST', '/v1/embeddings'],
    ['POST', '/v1/audio/transcriptions'],
    ['GET', '/v1/models'],
  ])('does not open what is for programs: %s %s', async (method, path) => {
    const person = testPerson('owner');
    const { front, upstream } = await start(person);
    const headers = { ...SAME_ORIGIN, 'x-clew-project': PROJECT };
    expect((await ask(front, person, path, { method, headers })).status).toBe(401);
    expect(upstream.seen).toEqual([]);
  });

  it('opens the trial of a model', async () => {
    const person = memberOf('admin');
    const { front } = await start(person);
    const path = `/v1/projects/${PROJECT}/models/m/profiles/p/trials`;
    expect((await ask(front, person, path, { method: 'POST', headers: SAME_ORIGIN, body: 'x' })).status).toBe(200);
  });

  it.each<[string, Record<string, string>]>([
    ['of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['of a sandboxed frame', { origin: 'null' }],
    ['as text/plain, which needs no preflight', { origin: 'https://evil.example', 'content-type': 'text/plain' }],
    ['without either header', {}],
  ])('changes nothing for a page %s', async (_name, headers) => {
    const person = testPerson('owner');
    const { front, upstream } = await start(person);
    const init = { method: 'POST', headers, body: '{"name":"x"}' };
    for (const path of [goals(PROJECT), '/v1/projects']) {
      const response = await ask(front, person, path, init);
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([403, 'CROSS_ORIGIN']);
    }
    expect(upstream.seen).toEqual([]);
  });

  it('changes what a page of this deployment asks for', async () => {
    const person = memberOf('editor');
    const { front } = await start(person);
    for (const headers of [SAME_ORIGIN, { origin: PUBLIC_URL }]) {
      const response = await ask(front, person, goals(PROJECT), { method: 'POST', headers, body: '{}' });
      expect(response.status).toBe(200);
    }
  });

  it('is none where there are two, and none of an unknown or ended session', async () => {
    const person = memberOf('viewer');
    const ended = testPerson('owner', Date.now() - 8 * 24 * 60 * 60 * 1000);
    const { front } = await start(person, ended);
    const twice = { ...person, cookie: `${person.cookie}; ${person.cookie}` };
    const unknown = testPerson();
    for (const each of [twice, unknown, ended]) expect((await ask(front, each, goals(PROJECT))).status).toBe(401);
  });
});

describe('/v1/me', () => {
  it('tells a person what they may do, by project', async () => {
    const person = testPerson([
      { projectId: PROJECT, role: 'editor' },
      { projectId: OTHER_PROJECT, role: 'viewer' },
    ]);
    const { front } = await start(person);
    expect(await (await ask(front, person, '/v1/me')).json()).toEqual({
      ...{ kind: 'user', id: person.user.id, name: 'Ada', email: person.user.email, owner: false },
      permissions: expect.arrayContaining([...ROLE_PERMISSIONS.editor]),
      projectIds: [PROJECT, OTHER_PROJECT],
      memberships: [
        { projectId: PROJECT, role: 'editor', permissions: ROLE_PERMISSIONS.editor },
        { projectId: OTHER_PROJECT, role: 'viewer', permissions: ROLE_PERMISSIONS.viewer },
      ],
      ...{ features: { rules: true, workItems: true, modelRuntime: true, mail: false }, version: '0' },
    });
  });

  it('is there for somebody who is a member of nothing yet', async () => {
    const person = testPerson([]);
    const { front } = await start(person);
    expect(await (await ask(front, person, '/v1/me')).json()).toMatchObject({ permissions: [], projectIds: [] });
    const project = await ask(front, person, '/v1/projects', { method: 'POST', headers: SAME_ORIGIN, body: '{}' });
    expect(project.status).toBe(403);
  });
});
