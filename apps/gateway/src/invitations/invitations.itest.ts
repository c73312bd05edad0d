import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Invitation, InvitationLink, OpenInvitation, OpenReset, Person, ResetLink } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { nativeDb } from '@clew/persistence';
import {
  eventually,
  explainSent,
  fixedClock,
  monitored,
  startSmtpServer,
  useTestEnvironment,
  type FixedClock,
  type TestSmtpServer,
} from '@clew/testing';
import type { BootstrapResult } from '../bootstrap.ts';
import {
  makeWorkspace,
  openTestDatabase,
  startTestGateway,
  type Answer,
  type TestGateway,
} from '../test-support/gateway.ts';
import { askWith, makePerson, type NewTestPerson, type TestPerson } from '../test-support/persons.ts';
import { createInvitationStore } from './invitations.store.ts';

const environment = useTestEnvironment();
const PASSWORD = 'bluish tractor overhead';
const PUBLIC_URL = 'https://clew.example';
const DAY_MS = 24 * 3_600_000;
let gateway: TestGateway;
let smtp: TestSmtpServer;
let clock: FixedClock;
let stack: BootstrapResult;
let owner: TestPerson;
let invited = 0;

beforeAll(async () => {
  smtp = await startSmtpServer();
  clock = fixedClock(Date.now());
  const variables = {
    SMTP_URL: smtp.url,
    MAIL_TIMEOUT_MS: '2000',
    PUBLIC_URL,
    TRUSTED_PROXIES: '1',
  };
  gateway = await startTestGateway(environment, { clock, variables });
  stack = await makeWorkspace(gateway.database);
  owner = await person({ owner: true });
});
beforeEach(() => {
  smtp.behaviour = 'takes';
});
afterAll(async () => {
  await gateway.stop();
  await smtp.stop();
});

interface Made extends InvitationLink {
  token: string;
}

const first = () => stack.projectId;
const person = (made: Partial<NewTestPerson> = {}) =>
  makePerson(gateway, { workspaceId: stack.workspaceId, nowMs: clock.now(), ...made });
const viewerOf = (projectId: string) => ({ projectRoles: [{ projectId, role: 'viewer' }] });
const newEmail = () => `invited-${(invited += 1)}@example.com`;
const tokenOf = (link: string) => link.slice(link.lastIndexOf('/') + 1);
const open = <Body = unknown>(method: string, path: string, body?: unknown) =>
  askWith<Body>(gateway.url, {}, method, `/v1/auth${path}`, body);

async function invite(body: object = {}, by: Pick<TestPerson, 'ask'> = owner): Promise<Made> {
  const wanted = { email: newEmail(), ...viewerOf(first()), ...body };
  const answer = await by.ask<InvitationLink>('POST', '/v1/invitations', wanted);
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
  return { ...answer.body, token: tokenOf(answer.body.link) };
}

const accept = (token: string, body: object = {}) =>
  open<{ person: Person }>('POST', `/invitations/${token}`, { name: 'Ada', password: PASSWORD, ...body });

async function listed(id: string): Promise<Invitation | undefined> {
  const { body } = await owner.ask<{ invitations: Invitation[] }>('GET', '/v1/invitations?limit=500');
  return body.invitations.find((each) => each.id === id);
}

/** Body of an answer without what differs in each. */
function shapeOf({ status, body }: Answer<unknown>) {
  const { requestId: _, ...rest } = body as Record<string, unknown>;
  return { status, ...rest };
}

const cookieOf = (answer: Answer<unknown>) => answer.headers.get('set-cookie')?.split(';')[0] ?? '';

describe('an invitation', () => {
  it('makes an account, signs in, and gives what it names', async () => {
    const { invitation, link, token } = await invite();
    expect(link).toBe(`https://clew.example/invitations/${token}`);
    expect(token).toMatch(/^[\w-]{43}$/);
    const shown = await open<OpenInvitation>('GET', `/invitations/${token}`);
    expect(shown.body).toMatchObject({
      ...{ email: invitation.email, workspace: 'Workspace', role: null, hasAccount: false },
      projectRoles: [{ projectId: first(), project: 'First', role: 'viewer' }],
    });
    const accepted = await accept(token);
    expect([accepted.status, accepted.body.person.email]).toEqual([200, invitation.email]);
    const cookie = cookieOf(accepted);
    const me = await askWith<{ id: string }>(gateway.url, { cookie }, 'GET', '/v1/me');
    expect([me.status, me.body.id]).toEqual([200, accepted.body.person.id]);
    expect(await listed(invitation.id)).toBeUndefined();
    const stored = await nativeDb(gateway.database.connection).collection('invitations').find().toArray();
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  it('adds roles to the account of the address, once its password is proved, and lowers none', async () => {
    const { invitation, token } = await invite({ projectRoles: [{ projectId: first(), role: 'editor' }] });
    const made = await accept(token);
    const email = invitation.email.toUpperCase();
    const again = await invite({
      email,
      projectRoles: [
        { projectId: first(), role: 'viewer' },
        { projectId: stack.otherProjectId, role: 'admin' },
      ],
    });
    expect((await open<OpenInvitation>('GET', `/invitations/${again.token}`)).body.hasAccount).toBe(true);
    const wrong = await accept(again.token, { password: 'another password entirely' });
    expect([wrong.status, cookieOf(wrong)]).toEqual([401, '']);
    const { body } = await accept(again.token, { name: 'Eve' });
    expect(body.person).toMatchObject({
      ...{ id: made.body.person.id, name: 'Ada' },
      memberships: [
        { projectId: first(), role: 'editor' },
        { projectId: stack.otherProjectId, role: 'admin' },
      ],
    });
  });

  it('that is used twice, withdrawn, replaced, expired, malformed or unknown has one answer', async () => {
    const used = await invite();
    await accept(used.token);
    const withdrawn = await invite();
    expect((await owner.ask('DELETE', `/v1/invitations/${withdrawn.invitation.id}`)).status).toBe(204);
    expect((await owner.ask('DELETE', `/v1/invitations/${withdrawn.invitation.id}`)).status).toBe(204);
    const replaced = await invite();
    const { body: newer } = await owner.ask<InvitationLink>('POST', `/v1/invitations/${replaced.invitation.id}/link`);
    const expired = await invite();
    for (let day = 0; day < 7; day += 1) {
      clock.advance(DAY_MS);
      // The owner's session goes on as long as it is used.
      await owner.ask('GET', '/v1/me');
    }
    const unknown = 'x'.repeat(43);
    const same = { status: 404, error: 'Not Found', message: 'Not found', code: 'NOT_FOUND' };
    for (const token of [used.token, withdrawn.token, replaced.token, expired.token, unknown, 'x', '%20', 'a.b']) {
      expect(shapeOf(await open('GET', `/invitations/${token}`))).toEqual(same);
      expect(shapeOf(await accept(token))).toEqual(same);
      expect(shapeOf(await open('GET', `/resets/${token}`))).toEqual(same);
    }
    // An expired invitation is still listed, and gets a new link.
    expect(await listed(expired.invitation.id)).toBeDefined();
    const renewed = await owner.ask<InvitationLink>('POST', `/v1/invitations/${expired.invitation.id}/link`);
    expect((await accept(tokenOf(renewed.body.link))).status).toBe(200);
    expect((await accept(tokenOf(newer.link))).status).toBe(404);
  });

  it('that is accepted by many at once makes one account', async () => {
    const { token, invitation } = await invite();
    const answers = await Promise.all(Array.from({ length: 4 }, () => accept(token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404]);
    const users = nativeDb(gateway.database.connection).collection('users');
    expect(await users.countDocuments({ email: invitation.email })).toBe(1);
  });

  it.each<[string, object, string]>([
    ['a password that is short', { password: 'short' }, 'body.password'],
    ['a password made of the address', { password: 'invitedinvited@example.com' }, 'body.password'],
    ['no name', { name: undefined }, 'body.name'],
  ])('with %s is refused, and still works', async (_name, body, path) => {
    const { token } = await invite({ email: `invited@example.com.${newId('req')}.example` });
    const refused = (await accept(token, body)) as Answer<{ details?: { path: string }[] }>;
    expect([refused.status, refused.body.details?.[0]?.path]).toEqual([400, path]);
    expect((await accept(token)).status).toBe(200);
  });
});

describe('somebody who invites', () => {
  const asked = (by: TestPerson, body: object) =>
    by.ask('POST', '/v1/invitations', { email: newEmail(), ...body }).then(({ status }) => status);

  it('gives only what is theirs: an admin their projects, an owner all', async () => {
    const memberships = [
      { projectId: first(), role: 'admin' as const },
      { projectId: stack.otherProjectId ?? '', role: 'editor' as const },
    ];
    const admin = await person({ memberships });
    expect(await asked(admin, { projectRoles: [{ projectId: first(), role: 'admin' }] })).toBe(201);
    expect(await asked(admin, viewerOf(stack.otherProjectId ?? ''))).toBe(403);
    expect(await asked(admin, { role: 'owner' })).toBe(403);
    expect(await asked(owner, { role: 'owner' })).toBe(201);
    expect(await asked(owner, viewerOf(newId('prj')))).toBe(404);
    await owner.ask('PATCH', `/v1/people/${admin.user.id}`, { state: 'deactivated' });
    expect(await asked(owner, { email: admin.user.email, role: 'owner' })).toBe(409);
    const body = { email: newEmail(), role: 'owner' };
    expect((await gateway.ask(stack.adminApiKey, 'POST', '/v1/invitations', body)).status).toBe(403);
  });

  it('sees and withdraws what they could have given, and nothing else', async () => {
    const memberships = [{ projectId: first(), role: 'admin' as const }];
    const admin = await person({ memberships });
    const [mine, others] = [await invite(), await invite(viewerOf(stack.otherProjectId ?? ''))];
    const { body } = await admin.ask<{ invitations: Invitation[] }>('GET', '/v1/invitations?limit=500');
    const ids = body.invitations.map(({ id }) => id);
    expect([ids.includes(mine.invitation.id), ids.includes(others.invitation.id)]).toEqual([true, false]);
    expect((await admin.ask('POST', `/v1/invitations/${others.invitation.id}/link`)).status).toBe(404);
    expect((await admin.ask('DELETE', `/v1/invitations/${others.invitation.id}`)).status).toBe(204);
    expect(await listed(others.invitation.id)).toBeDefined();
    const { body: ofProject } = await owner.ask<{ invitations: Invitation[] }>(
      'GET',
      `/v1/invitations?limit=500&projectId=${stack.otherProjectId}`,
    );
    expect(ofProject.invitations.map(({ id }) => id)).toContain(others.invitation.id);
    expect(ofProject.invitations.map(({ id }) => id)).not.toContain(mine.invitation.id);
  });

  it('takes their invitations with them when they lose the right, until somebody else makes the link anew', async () => {
    const memberships = [{ projectId: first(), role: 'admin' as const }];
    const admin = await person({ memberships });
    const { token, invitation } = await invite({}, admin);
    await owner.ask('PUT', `/v1/projects/${first()}/members/${admin.user.id}`, { role: 'editor' });
    expect((await accept(token)).status).toBe(404);
    const renewed = await owner.ask<InvitationLink>('POST', `/v1/invitations/${invitation.id}/link`);
    expect(renewed.body.invitation.createdBy).toBe(owner.user.id);
    expect((await accept(tokenOf(renewed.body.link))).status).toBe(200);
  });
});

it('an invitation loses a project that is deleted, and is gone with the last one', async () => {
  const [one, two] = [newId('prj'), newId('prj')];
  const gone = await invite();
  const invitations = nativeDb(gateway.database.connection).collection<{ _id: string }>('invitations');
  const giving = (...ids: string[]) => ({ projectRoles: ids.map((projectId) => ({ projectId, role: 'viewer' })) });
  await invitations.updateOne({ _id: gone.invitation.id }, { $set: giving(one, two) });
  const store = createInvitationStore(gateway.database);
  const close = (id: string) => gateway.database.withTransaction((tx) => store.closeProject(tx, id));
  expect(await close(one)).toBe(1);
  expect((await listed(gone.invitation.id))?.projectRoles).toEqual(giving(two).projectRoles);
  expect([await close(two), await close(two)]).toEqual([1, 0]);
  expect(await listed(gone.invitation.id)).toBeUndefined();
});

describe('mail', () => {
  const mailOf = (id: string, mail: Invitation['mail']) =>
    eventually(async () => expect((await listed(id))?.mail).toBe(mail), { timeoutMs: 20_000 });

  it('carries the link, and the invitation shows that it was sent', async () => {
    const { invitation, link } = await invite();
    expect(invitation.mail).toBe('sending');
    await mailOf(invitation.id, 'sent');
    // Lines of a letter are folded with "=" at their end.
    expect(smtp.letters.at(-1)?.replaceAll('=\n', '')).toContain(link);
  });

  it.each<[string, Record<string, string>, Invitation['mail']]>([
    ['that is not there', { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_TIMEOUT_MS: '2000' }, 'failed'],
    ['that nobody has configured', {}, 'off'],
  ])('of a server %s never fails the invitation, whose link is shown', async (_name, variables, mail) => {
    const { mongoUrl, amqpUrl, database } = environment;
    const servers = { ...environment, mongoUrl, amqpUrl, database };
    const mute = await startTestGateway(servers, {
      clock,
      variables: { PUBLIC_URL, TRUSTED_PROXIES: '1', ...variables },
    });
    const wanted = { email: newEmail(), ...viewerOf(first()) };
    const { status, body } = await owner.ask<InvitationLink>('POST', '/v1/invitations', wanted, mute);
    expect([status, body.link]).toEqual([
      201,
      expect.stringMatching(/^https:\/\/clew\.example\/invitations\/[\w-]{43}$/),
    ]);
    await mailOf(body.invitation.id, mail);
    expect((await accept(tokenOf(body.link))).status).toBe(200);
    await mute.stop();
  });

  it.each(['hangs', 'refuses'] as const)('of a server that %s never fails the invitation', async (behaviour) => {
    smtp.behaviour = behaviour;
    const { invitation, token } = await invite();
    await mailOf(invitation.id, 'failed');
    expect((await accept(token)).status).toBe(200);
  });
});

describe('a reset link', () => {
  const reset = (by: TestPerson, id: string) => by.ask<ResetLink>('POST', `/v1/people/${id}/reset-links`);
  const use = (token: string, password = `${PASSWORD} two`) =>
    open<{ person: Person }>('POST', `/resets/${token}`, { password });

  it('sets a password once, ends all sessions, and signs in', async () => {
    const target = await person();
    const { status, body } = await reset(owner, target.user.id);
    const token = tokenOf(body.link);
    expect([status, body.expiresAt]).toEqual([201, clock.now() + 3_600_000]);
    const { body: shown } = await open<OpenReset>('GET', `/resets/${token}`);
    expect(shown).toEqual({ email: target.user.email, name: target.user.name, expiresAt: body.expiresAt });
    expect((await use(token, 'short')).status).toBe(400);
    const used = await use(token);
    expect(used.status).toBe(200);
    expect((await target.ask('GET', '/v1/me')).status).toBe(401);
    expect((await askWith(gateway.url, { cookie: cookieOf(used) }, 'GET', '/v1/me')).status).toBe(200);
    expect((await use(token)).status).toBe(404);
    const credentials = { email: target.user.email, password: `${PASSWORD} two` };
    expect((await open('POST', '/sign-in', credentials)).status).toBe(200);
  });

  it('works no more once there is a newer one, an hour has passed, or its maker lost the right', async () => {
    const target = await person();
    const boss = await person({ owner: true });
    const older = tokenOf((await reset(boss, target.user.id)).body.link);
    const newer = tokenOf((await reset(boss, target.user.id)).body.link);
    expect((await open('GET', `/resets/${older}`)).status).toBe(404);
    expect((await open('GET', `/resets/${newer}`)).status).toBe(200);
    await owner.ask('PATCH', `/v1/people/${boss.user.id}`, { owner: false });
    expect((await use(newer)).status).toBe(404);
    const late = tokenOf((await reset(owner, target.user.id)).body.link);
    clock.advance(3_600_000);
    expect((await use(late)).status).toBe(404);
  });

  it('that is used, replaced, expired or unknown has the one answer of an unknown invitation', async () => {
    const targets = await Promise.all([person(), person(), person()]);
    const tokens: string[] = [];
    for (const { user } of targets) tokens.push(tokenOf((await reset(owner, user.id)).body.link));
    const [used = '', replaced = '', expired = ''] = tokens;
    expect((await use(used)).status).toBe(200);
    await reset(owner, targets[1]?.user.id ?? '');
    clock.advance(3_600_000);
    const same = { status: 404, error: 'Not Found', message: 'Not found', code: 'NOT_FOUND' };
    for (const token of [used, replaced, expired, 'x'.repeat(43), 'x', '%20']) {
      expect(shapeOf(await open('GET', `/resets/${token}`))).toEqual(same);
      expect(shapeOf(await use(token))).toEqual(same);
      expect(shapeOf(await open('GET', `/invitations/${token}`))).toEqual(same);
    }
  });

  it('is made only by who has all that the person has', async () => {
    const memberships = [{ projectId: first(), role: 'admin' as const }];
    const admin = await person({ memberships });
    const colleague = await person({ memberships });
    const both = [...memberships, { projectId: stack.otherProjectId ?? '', role: 'viewer' as const }];
    const other = await person({ memberships: both });
    expect((await reset(admin, colleague.user.id)).status).toBe(201);
    expect((await reset(admin, other.user.id)).status).toBe(403);
    expect((await reset(admin, owner.user.id)).status).toBe(403);
    expect((await gateway.ask(stack.adminApiKey, 'POST', `/v1/people/${owner.user.id}/reset-links`)).status).toBe(403);
    await owner.ask('PATCH', `/v1/people/${colleague.user.id}`, { state: 'deactivated' });
    expect((await reset(owner, colleague.user.id)).status).toBe(409);
  });
});

it('invitations are found by their token, and listed in the order of an index', async () => {
  const database = await openTestDatabase(environment, monitored(environment.mongoUrl));
  const invitations = createInvitationStore(database);
  const explained = await explainSent(database, async () => {
    await invitations.findByToken('hash');
    for (const after of [undefined, [Date.now(), 'inv_']]) {
      await invitations.list(stack.workspaceId, () => true, { limit: 10, after });
    }
    await database.withTransaction((tx) => invitations.closeProject(tx, newId('prj')));
  });
  expect(explained.map(({ plan }) => plan)).toEqual([
    ...Array<unknown>(3).fill(expect.stringMatching(/^find invitations:.* IXSCAN$/)),
    expect.stringMatching(/^delete invitations:.* IXSCAN$/),
    expect.stringMatching(/^update invitations:.* IXSCAN$/),
  ]);
  await database.close();
});
