import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Member, Membership, Person } from '@clew/contracts';
import { newId, systemClock } from '@clew/kernel';
import { createOutbox, nativeDb } from '@clew/persistence';
import { eventually, explainSent, monitored, useTestEnvironment } from '@clew/testing';
import type { BootstrapResult } from '../bootstrap.ts';
import { makeWorkspace, openTestDatabase, startTestGateway, type TestGateway } from '../test-support/gateway.ts';
import { makePerson, type NewTestPerson, type TestPerson } from '../test-support/persons.ts';
import { providersFile } from '../test-support/providers-file.ts';
import { createApiKeyStore } from '../api-keys/api-keys.store.ts';
import { createAuditLog } from '../audit/audit.ts';
import { createPeopleJournal } from '../people/people-journal.ts';
import { createCloseMembers } from './close-members.ts';
import { createPeopleLists } from './people.store.ts';

interface People {
  people: Person[];
  nextCursor: string | null;
}
interface Members {
  members: Member[];
  nextCursor: string | null;
}

const environment = useTestEnvironment();
let here: TestGateway;
/** Second replica. */
let there: TestGateway;
let stack: BootstrapResult;
let [first, second] = ['', ''];
let owner: TestPerson;

beforeAll(async () => {
  const roleMapping = { map: {} };
  const corp = { id: 'corp', name: 'Corp', issuer: 'https://corp.example', clientId: 'clew', roleMapping };
  const variables = { OIDC_PROVIDERS_FILE: providersFile([corp]) };
  here = await startTestGateway(environment, { variables });
  there = await startTestGateway({ ...environment }, { variables });
  stack = await makeWorkspace(here.database);
  [first, second] = [stack.projectId, stack.otherProjectId ?? ''];
  owner = await person({ owner: true });
});
afterAll(async () => {
  await there.stop();
  await here.stop();
});

const person = (made: Partial<NewTestPerson> = {}) => makePerson(here, { workspaceId: stack.workspaceId, ...made });
const member = (role: Membership['role'], projectId = first) => person({ memberships: [{ projectId, role }] });
const membersOf = (projectId: string, userId = '') =>
  `/v1/projects/${projectId}/members${userId === '' ? '' : `/${userId}`}`;
const codeOf = ({ status, body }: { status: number; body: { code?: string } | null }) => [status, body?.code];
const within = { timeoutMs: 1_000 };

/** Workspace of its own, for tests that change who owns it. */
async function ownWorkspace(owners: number) {
  const { workspaceId, adminApiKey } = await makeWorkspace(here.database);
  const made = [];
  for (let count = 0; count < owners; count += 1) made.push(await makePerson(here, { workspaceId, owner: true }));
  return { workspaceId, adminApiKey, owners: made };
}

describe('members of a project', () => {
  it('are given roles by its admins, also people of the workspace who were not in it', async () => {
    const admin = await member('admin');
    const stranger = await person();
    expect((await stranger.ask('GET', membersOf(first))).status).toBe(404);
    const added = await admin.ask<Member>('PUT', membersOf(first, stranger.user.id), { role: 'viewer' });
    expect([added.status, added.body.role]).toEqual([200, 'viewer']);
    const { body } = await admin.ask<Members>('GET', `${membersOf(first)}?limit=1`);
    expect(body.members).toEqual([added.body]);
    expect(body.nextCursor).not.toBeNull();
    expect((await admin.ask('DELETE', membersOf(first, stranger.user.id))).status).toBe(204);
    expect((await admin.ask('DELETE', membersOf(first, stranger.user.id))).status).toBe(204);
    expect((await stranger.ask('GET', membersOf(first))).status).toBe(404);
  });

  it('are no business of editors and viewers, of admins of other projects, or of other workspaces', async () => {
    const target = await member('viewer');
    const path = membersOf(first, target.user.id);
    for (const role of ['viewer', 'editor'] as const) {
      const one = await member(role);
      expect(codeOf(await one.ask('PUT', path, { role: 'admin' }))).toEqual([403, 'FORBIDDEN']);
      expect((await one.ask('GET', membersOf(first))).status).toBe(403);
    }
    const elsewhere = await member('admin', second);
    expect((await elsewhere.ask('PUT', path, { role: 'admin' })).status).toBe(404);
    const foreign = await ownWorkspace(1);
    expect((await foreign.owners[0]!.ask('PUT', path, { role: 'admin' })).status).toBe(404);
    const ours = membersOf(first, foreign.owners[0]!.user.id);
    expect((await owner.ask('PUT', ours, { role: 'admin' })).status).toBe(404);
    expect((await owner.ask('PUT', membersOf(first, newId('usr')), { role: 'admin' })).status).toBe(404);
  });

  it('are managed by a key with workspace:admin in its own projects alone', async () => {
    const target = await person();
    const put = (secret: string, projectId: string) =>
      here.ask<Member>(secret, 'PUT', membersOf(projectId, target.user.id), { role: 'admin' });
    expect((await put(stack.apiKey, first)).status).toBe(200);
    expect((await put(stack.apiKey, second)).status).toBe(404);
    expect((await put(stack.adminApiKey, second)).status).toBe(200);
  });

  it('whom a sign-in provider manages are edited by nobody', async () => {
    const managed = await person({ memberships: [{ projectId: first, role: 'viewer', managedBy: 'corp' }] });
    const path = membersOf(first, managed.user.id);
    expect(codeOf(await owner.ask('PUT', path, { role: 'admin' }))).toEqual([409, 'MEMBER_MANAGED']);
    expect(codeOf(await owner.ask('DELETE', path))).toEqual([409, 'MEMBER_MANAGED']);
  });

  it('lose a role at once, and at the other replica within a second', async () => {
    const target = await member('admin');
    for (const at of [here, there]) expect((await target.ask('GET', membersOf(first), undefined, at)).status).toBe(200);
    await owner.ask('PUT', membersOf(first, target.user.id), { role: 'viewer' });
    expect((await target.ask('GET', membersOf(first))).status).toBe(403);
    await eventually(async () => {
      expect((await target.ask('GET', membersOf(first), undefined, there)).status).toBe(403);
    }, within);
  });
});

describe('the people of a workspace', () => {
  it('are found by a part of the name or address, and by state', async () => {
    const { owners, workspaceId } = await ownWorkspace(1);
    const [boss] = owners;
    const zoe = await makePerson(here, { workspaceId });
    await boss!.ask('PATCH', `/v1/people/${zoe.user.id}`, { name: 'Zoë Ünal', state: 'deactivated' });
    const find = async (query: string) =>
      (await boss!.ask<People>('GET', `/v1/people?${query}`)).body.people.map(({ id }) => id);
    expect(await find('')).toEqual([zoe.user.id, boss!.user.id]);
    expect(await find('q=zo%C3%AB')).toEqual([zoe.user.id]);
    expect(await find(`q=${encodeURIComponent(boss!.user.email.toUpperCase())}`)).toEqual([boss!.user.id]);
    expect(await find('state=deactivated')).toEqual([zoe.user.id]);
    expect(await find('q=nobody')).toEqual([]);
  });

  it('are shown to an admin of one project with their roles in that project alone', async () => {
    const admin = await member('admin');
    const both = await person({
      memberships: [
        { projectId: first, role: 'viewer' },
        { projectId: second, role: 'editor' },
      ],
    });
    const { body } = await admin.ask<Person>('GET', `/v1/people/${both.user.id}`);
    expect(body.memberships).toEqual([{ projectId: first, role: 'viewer' }]);
    const { body: whole } = await owner.ask<Person>('GET', `/v1/people/${both.user.id}`);
    expect(whole.memberships).toEqual(both.user.memberships);
    expect((await (await member('editor')).ask('GET', '/v1/people')).status).toBe(403);
    expect(JSON.stringify(whole)).not.toMatch(/credentials|hash|emailKey/);
  });

  it('are changed by owners, and by keys for all projects as long as they are no owners', async () => {
    const target = await member('viewer');
    const path = `/v1/people/${target.user.id}`;
    expect((await (await member('admin')).ask('PATCH', path, { name: 'x' })).status).toBe(403);
    expect((await here.ask(stack.apiKey, 'PATCH', path, { name: 'x' })).status).toBe(403);
    expect((await here.ask(stack.adminApiKey, 'PATCH', path, { name: 'Renamed' })).status).toBe(200);
    expect((await here.ask(stack.adminApiKey, 'PATCH', path, { owner: true })).status).toBe(403);
    for (const change of [{ state: 'deactivated' }, { owner: false }, { name: 'x' }]) {
      expect((await here.ask(stack.adminApiKey, 'PATCH', `/v1/people/${owner.user.id}`, change)).status).toBe(403);
    }
    expect((await here.ask(stack.adminApiKey, 'DELETE', `/v1/people/${owner.user.id}`)).status).toBe(403);
    expect((await owner.ask('PATCH', path, { owner: true })).status).toBe(200);
    expect((await target.ask('GET', membersOf(second))).status).toBe(200);
  });

  it('are changed under If-Match, and a change is written to the audit with what was and what is', async () => {
    const target = await member('viewer');
    const path = `/v1/people/${target.user.id}`;
    const { headers } = await owner.ask('GET', path);
    const put = await owner.ask('PUT', membersOf(first, target.user.id), { role: 'editor' });
    expect(put.status).toBe(200);
    const patch = (etag: string) =>
      fetch(`${here.url}${path}`, {
        method: 'PATCH',
        headers: {
          ...{ cookie: owner.cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
          'if-match': etag,
        },
        body: JSON.stringify({ name: 'Other' }),
      });
    expect((await patch(headers.get('etag') ?? '')).status).toBe(412);
    const current = await owner.ask('GET', path);
    expect((await patch(current.headers.get('etag') ?? '')).status).toBe(200);
    const entries = await nativeDb(here.database.connection)
      .collection('audit')
      .find({ 'target.id': target.user.id })
      .sort({ _id: 1 })
      .toArray();
    const actor = { kind: 'user', id: owner.user.id };
    expect(entries).toMatchObject([
      { action: 'member.role-changed', actor, projectId: first, before: { role: 'viewer' }, after: { role: 'editor' } },
      { action: 'person.renamed', actor, before: { name: target.user.name }, after: { name: 'Other' } },
    ]);
  });
});

describe('the last active owner', () => {
  it('is neither demoted, nor deactivated, nor removed', async () => {
    const { owners, workspaceId } = await ownWorkspace(1);
    const [last] = owners;
    const path = `/v1/people/${last!.user.id}`;
    const asleep = await makePerson(here, { workspaceId, owner: true });
    expect((await last!.ask('PATCH', `/v1/people/${asleep.user.id}`, { state: 'deactivated' })).status).toBe(200);
    for (const change of [{ owner: false }, { state: 'deactivated' }]) {
      expect(codeOf(await last!.ask('PATCH', path, change))).toEqual([409, 'LAST_OWNER']);
    }
    expect(codeOf(await last!.ask('DELETE', path))).toEqual([409, 'LAST_OWNER']);
    expect((await last!.ask('GET', path)).body).toMatchObject({ owner: true, state: 'active' });
  });

  it.each([
    ['demote', (path: string, by: TestPerson) => by.ask('PATCH', path, { owner: false })],
    ['deactivate', (path: string, by: TestPerson) => by.ask('PATCH', path, { state: 'deactivated' })],
    ['remove', (path: string, by: TestPerson) => by.ask('DELETE', path)],
  ])('stays when two owners %s each other at once', async (_name, act) => {
    const { owners, workspaceId } = await ownWorkspace(2);
    const [one, other] = owners;
    const outcomes = await Promise.all([
      act(`/v1/people/${one!.user.id}`, other!),
      act(`/v1/people/${other!.user.id}`, one!),
    ]);
    const done = outcomes.filter(({ status }) => status < 300);
    expect(done).toHaveLength(1);
    const left = nativeDb(here.database.connection).collection('users');
    expect(await left.countDocuments({ workspaceId, owner: true, state: 'active' })).toBe(1);
  });
});

describe('a person who is deactivated', () => {
  it('has no session and no working key any more, here at once and at the other replica within a second', async () => {
    const target = await member('admin');
    const { body } = await target.ask<{ apiKey: { id: string }; secret: string }>(
      'POST',
      `/v1/projects/${first}/api-keys`,
      { name: 'mine', scopes: ['workspace:read', 'diagnostics:read'] },
    );
    const statuses = async (at: TestGateway) => [
      (await target.ask('GET', '/v1/me', undefined, at)).status,
      (await at.ask(body.secret, 'GET', '/v1/me')).status,
    ];
    for (const at of [here, there]) expect(await statuses(at)).toEqual([200, 200]);
    const path = `/v1/people/${target.user.id}`;
    expect((await owner.ask('PATCH', path, { state: 'deactivated' })).status).toBe(200);
    expect(await statuses(here)).toEqual([401, 401]);
    await eventually(async () => expect(await statuses(there)).toEqual([401, 401]), within);
    await owner.ask('PATCH', path, { state: 'active' });
    // The session has ended for good; the key is the person's again.
    expect(await statuses(here)).toEqual([401, 200]);
    expect((await owner.ask('DELETE', path)).status).toBe(204);
    expect(await statuses(here)).toEqual([401, 401]);
    const { body: listed } = await owner.ask<{ apiKeys: { id: string }[] }>('GET', `/v1/projects/${first}/api-keys`);
    expect(listed.apiKeys.map(({ id }) => id)).not.toContain(body.apiKey.id);
    expect((await owner.ask('GET', path)).status).toBe(404);
    expect((await owner.ask('DELETE', path)).status).toBe(204);
  });
});

it('a deleted project is taken out of what people have', async () => {
  const projectId = newId('prj');
  const target = await person({
    memberships: [
      { projectId, role: 'admin', managedBy: 'corp' },
      { projectId: first, role: 'viewer' },
    ],
  });
  const { database } = here;
  const people = createPeopleJournal({ audit: createAuditLog(database), outbox: createOutbox(database) });
  const close = createCloseMembers({ database, people, clock: systemClock });
  expect([await close(projectId), await close(projectId)]).toEqual([1, 0]);
  const { body } = await owner.ask<Person>('GET', `/v1/people/${target.user.id}`);
  expect(body.memberships).toEqual([{ projectId: first, role: 'viewer' }]);
});

it('lists of people are read from their indexes, in the order of these', async () => {
  const database = await openTestDatabase(environment, monitored(environment.mongoUrl));
  const lists = createPeopleLists(database);
  const explained = await explainSent(database, async () => {
    for (const after of [undefined, [Date.now(), 'usr_']]) {
      for (const filter of [{}, { state: 'active' as const }, { q: 'x' }, { q: 'x', state: 'active' as const }]) {
        await lists.ofWorkspace(stack.workspaceId, filter, { limit: 10, after });
      }
      await lists.ofProject({ workspaceId: stack.workspaceId, projectId: first }, { limit: 10, after });
    }
    await database.withTransaction((tx) => createApiKeyStore(database).ofPerson(tx, owner.user.id, 10));
  });
  expect(explained.map(({ plan }) => plan)).toEqual([
    ...Array<unknown>(10).fill(expect.stringMatching(/^find users:.* IXSCAN$/)),
    expect.stringMatching(/^find api_keys:.* IXSCAN$/),
  ]);
  await database.close();
});
