import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuditRecord, Member } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { explainSent, fixedClock, monitored, useTestEnvironment, type FixedClock } from '@clew/testing';
import { startLoopbackIssuer, type IssuedPerson, type LoopbackIssuer } from '@clew/testing/oidc';
import type { BootstrapResult } from '../bootstrap.ts';
import { createInvitationStore } from '../invitations/invitations.store.ts';
import { createUserStore } from '../people/users.store.ts';
import { openJar, type JarBrowser } from '../test-support/browser-jar.ts';
import { startForgingIssuer, type ForgingIssuer } from '../test-support/forging-issuer.ts';
import { makeWorkspace, openTestDatabase, startTestGateway, type TestGateway } from '../test-support/gateway.ts';
import { providersFile } from '../test-support/providers-file.ts';
import { addPerson, changePerson, TEST_PASSWORD } from '../test-support/people-of.ts';
import { makePerson, type TestPerson } from '../test-support/persons.ts';

const environment = useTestEnvironment();
const PUBLIC_URL = 'http://clew.test:8080';
const SECRET = 'the secret of the client';
let gateway: TestGateway;
let issuer: LoopbackIssuer;
let forging: ForgingIssuer;
let clock: FixedClock;
let stack: BootstrapResult;
let owner: TestPerson;
let people = 0;

const redirectUri = (id: string) => `${PUBLIC_URL}/v1/auth/oidc/${id}/callback`;

beforeAll(async () => {
  const ids = ['invited', 'domain', 'mapped', 'public'];
  const clients = ids.map((id) => ({
    id,
    redirectUri: redirectUri(id),
    ...(id === 'public' ? {} : { secret: SECRET }),
  }));
  issuer = await startLoopbackIssuer(clients);
  forging = await startForgingIssuer('forged');
  clock = fixedClock(Date.now());
  const scopes = ['openid', 'email', 'profile', 'groups'];
  const provider = (id: string, more: object) => ({
    ...{ id, name: `The ${id}`, issuer: issuer.issuer, clientId: id, scopes, clientSecretFile: 'secret' },
    ...more,
  });
  // The projects must be known before the gateway starts, which reads its providers once.
  const database = await openTestDatabase(environment);
  stack = await makeWorkspace(database);
  await database.close();
  const roles = (project: string, role: string) => [{ project, role }];
  const map = {
    editors: roles(stack.projectId, 'editor'),
    admins: [...roles(stack.projectId, 'admin'), ...roles(stack.otherProjectId ?? '', 'viewer')],
    gone: roles(newId('prj'), 'admin'),
  };
  const providers = [
    provider('invited', {}),
    provider('domain', { signUp: 'domain', allowedDomains: ['corp.example'] }),
    provider('mapped', { signUp: 'mapped', roleMapping: { claim: 'groups', map } }),
    provider('public', { clientSecretFile: undefined, signUp: 'domain', allowedDomains: ['corp.example'] }),
    provider('forged', { issuer: forging.issuer, signUp: 'domain', allowedDomains: ['corp.example'] }),
    provider('nowhere', { issuer: 'http://127.0.0.1:1' }),
    provider('forbidden', { issuer: 'http://[::1]:9' }),
  ];
  const OIDC_PROVIDERS_FILE = providersFile(providers, SECRET);
  const variables = {
    ...{ PUBLIC_URL, TRUSTED_PROXIES: '1', OIDC_PROVIDERS_FILE, OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' },
    ...{ OIDC_ADMIN_EMAILS: 'boss@corp.example, chief@corp.example', OIDC_TIMEOUT_MS: '1500' },
  };
  gateway = await startTestGateway(environment, { clock, variables });
  owner = await makePerson(gateway, { workspaceId: stack.workspaceId, owner: true, nowMs: clock.now() });
});
beforeEach(() => {
  Object.assign(forging, { claims: { email: newEmail(), email_verified: true }, usesStrangeKey: false });
  forging.forgeries.clear();
});
afterAll(async () => {
  await gateway.stop();
  await issuer.stop();
  await forging.stop();
});

function newEmail(domain = 'corp.example'): string {
  people += 1;
  return `person-${people}@${domain}`;
}

function newPerson(more: Partial<IssuedPerson> = {}): IssuedPerson {
  people += 1;
  return { sub: `sub-${people}`, email: newEmail(), email_verified: true, name: `Person ${people}`, ...more };
}

const pathOf = ({ pathname, search }: URL) => `${pathname}${search}`;

/** Begins at a provider; resolves with the address of its page. */
async function begin(browser: JarBrowser, id: string, returnTo?: string): Promise<string> {
  const query = returnTo === undefined ? '' : `?${new URLSearchParams({ returnTo }).toString()}`;
  const { status, location } = await browser.go(`/v1/auth/oidc/${id}/start${query}`);
  expect(status).toBe(303);
  return location ?? '';
}

/** Signs a person in at a provider, and brings its answer back. */
async function signIn(id: string, person: IssuedPerson, { browser = openJar(gateway), returnTo = '' } = {}) {
  const back = await issuer.signIn(await begin(browser, id, returnTo === '' ? undefined : returnTo), person);
  return { browser, back, ...(await browser.go(pathOf(back))) };
}

async function forge(browser = openJar(gateway), parameters: Record<string, string> = {}) {
  const back = forging.sendBack(await begin(browser, 'forged'), parameters);
  return { browser, ...(await browser.go(pathOf(back))) };
}

async function meOf(browser: JarBrowser) {
  const { status, text } = await browser.go('/v1/me');
  return { status, ...(JSON.parse(text) as { id: string; email: string; owner: boolean; memberships?: unknown[] }) };
}

const isIn = (browser: JarBrowser) => browser.cookies.has('clew_session');

async function invite(email: string, body: object = {}): Promise<string> {
  const projectRoles = [{ projectId: stack.projectId, role: 'viewer' }];
  const { body: made } = await owner.ask<{ link: string }>('POST', '/v1/invitations', { email, projectRoles, ...body });
  return new URL(made.link).pathname;
}

async function entries(action: string): Promise<AuditRecord[]> {
  const { body } = await owner.ask<{ entries: AuditRecord[] }>('GET', `/v1/audit?action=${action}`);
  return body.entries;
}

describe('the ways to sign in', () => {
  it('are told to programs, and shown as links that need no wider policy of the page', async () => {
    const browser = openJar(gateway);
    const methods = JSON.parse((await browser.go('/v1/auth/methods')).text) as { providers: unknown[] };
    expect(methods).toMatchObject({ password: true, setup: false });
    expect(methods.providers[0]).toEqual({ id: 'invited', name: 'The invited' });
    const page = await browser.go('/sign-in?returnTo=/device%3Fcode%3DX');
    expect(page.text).toContain(
      '<a class="button" href="/v1/auth/oidc/domain/start?returnTo=%2Fdevice%3Fcode%3DX">Sign in with The domain</a>',
    );
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self';");
  });

  it('are 404 under any other name', async () => {
    for (const id of ['unknown', 'Invited', '..%2Fx', '__proto__']) {
      expect([404, 400]).toContain((await openJar(gateway).go(`/v1/auth/oidc/${id}/start`)).status);
    }
  });
});

describe('a sign-in at a provider', () => {
  it.each(['domain', 'public'])('makes an account for somebody new, and finds it again (%s client)', async (id) => {
    const person = newPerson();
    const first = await signIn(id, person, { returnTo: '/v1/me?x=1#y' });
    expect([first.status, first.location]).toEqual([303, '/v1/me?x=1#y']);
    expect([...first.browser.cookies.keys()]).toEqual(['clew_session']);
    const me = await meOf(first.browser);
    expect(me).toMatchObject({ status: 200, email: person.email, name: person.name, owner: false, memberships: [] });
    // Another address at the provider is still the same person, even one that is not verified.
    const again = await signIn(id, { ...person, email: newEmail(), email_verified: false });
    expect((await meOf(again.browser)).id).toBe(me.id);
    const sessions = await entries('session.signed-in');
    expect(sessions[0]).toMatchObject({ actor: { kind: 'user', id: me.id }, after: { method: 'oidc' } });
    const created = await entries('person.created');
    expect(created[0]).toMatchObject({ actor: { kind: 'system', id: `oidc:${id}` }, target: { id: me.id } });
  });

  it('asks with code, PKCE, state and nonce, none of which the cookie tells', async () => {
    const browser = openJar(gateway);
    const { searchParams } = new URL(await begin(browser, 'invited'));
    expect(Object.fromEntries(searchParams)).toMatchObject({
      ...{ response_type: 'code', client_id: 'invited', redirect_uri: redirectUri('invited') },
      ...{ code_challenge_method: 'S256', scope: 'openid email profile groups' },
    });
    const cookie = browser.cookies.get('clew_oidc') ?? '';
    const told = Buffer.from(cookie.split('.')[0] ?? '', 'base64url').toString();
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(searchParams.get(name)).toMatch(/^[\w-]{43}$/);
      expect(told).not.toContain(searchParams.get(name));
    }
  });

  it('gives the browser a new session, and ends the one that it had', async () => {
    const person = newPerson();
    const { browser } = await signIn('domain', person);
    const planted = browser.cookies.get('clew_session') ?? '';
    await signIn('domain', person, { browser });
    expect(browser.cookies.get('clew_session')).not.toBe(planted);
    browser.cookies.set('clew_session', planted);
    expect((await meOf(browser)).status).toBe(401);
  });

  it('in several tabs at the same moment makes one account', async () => {
    const person = newPerson();
    const tabs: { browser: JarBrowser; back: URL }[] = [];
    for (let tab = 0; tab < 5; tab += 1) {
      const browser = openJar(gateway);
      tabs.push({ browser, back: await issuer.signIn(await begin(browser, 'domain'), person) });
    }
    const answers = await Promise.all(tabs.map(({ browser, back }) => browser.go(pathOf(back))));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(303));
    const ids = await Promise.all(tabs.map(async ({ browser }) => (await meOf(browser)).id));
    expect(new Set(ids).size).toBe(1);
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/%2e%2e//evil.example',
    'javascript:alert(1)',
  ])('never leads to %s afterwards', async (returnTo) => {
    const { location } = await signIn('domain', newPerson(), { returnTo });
    expect(new URL(location ?? '', PUBLIC_URL).origin).toBe(PUBLIC_URL);
  });
});

describe('an answer of a provider', () => {
  const refusal = ({ status, text }: { status: number; text: string }) => [status, /[A-Z_]{8,}/.exec(text)?.[0]];

  it('that no flow of this browser asked for is not taken: no cookie, another browser, another state, twice', async () => {
    const person = newPerson();
    const browser = openJar(gateway);
    const back = await issuer.signIn(await begin(browser, 'domain'), person);
    const stranger = openJar(gateway);
    expect(refusal(await stranger.go(pathOf(back)))).toEqual([400, 'OIDC_STATE_INVALID']);
    await begin(stranger, 'domain');
    expect(refusal(await stranger.go(pathOf(back)))).toEqual([400, 'OIDC_STATE_INVALID']);
    const changed = new URL(back);
    changed.searchParams.set('state', 'x'.repeat(43));
    const kept = browser.cookies.get('clew_oidc') ?? '';
    expect(refusal(await browser.go(pathOf(changed)))).toEqual([400, 'OIDC_STATE_INVALID']);
    changed.searchParams.delete('state');
    browser.cookies.set('clew_oidc', kept);
    expect(refusal(await browser.go(pathOf(changed)))).toEqual([400, 'OIDC_STATE_INVALID']);
    expect([isIn(browser), isIn(stranger)]).toEqual([false, false]);
    browser.cookies.set('clew_oidc', kept);
    expect((await browser.go(pathOf(back))).status).toBe(303);
    // The flow is over for this browser; with the cookie put back, the provider refuses the code.
    browser.cookies.delete('clew_session');
    expect(refusal(await browser.go(pathOf(back)))).toEqual([400, 'OIDC_STATE_INVALID']);
    browser.cookies.set('clew_oidc', kept);
    expect(refusal(await browser.go(pathOf(back)))).toEqual([403, 'OIDC_REFUSED']);
    expect(isIn(browser)).toBe(false);
  });

  it('is not taken with a changed cookie, nor with two of them', async () => {
    const browser = openJar(gateway);
    const back = forging.sendBack(await begin(browser, 'forged'));
    const [text = '', mac = ''] = (browser.cookies.get('clew_oidc') ?? '').split('.');
    const content = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    content[3] = '/elsewhere';
    const forged = `${Buffer.from(JSON.stringify(content)).toString('base64url')}.${mac}`;
    for (const cookie of [`clew_oidc=${forged}`, `clew_oidc=${text}.${mac}; clew_oidc=${text}.${mac}`, 'clew_oidc=x']) {
      expect(refusal(await openJar(gateway).go(pathOf(back), undefined, { cookie }))).toEqual([
        400,
        'OIDC_STATE_INVALID',
      ]);
    }
    expect((await browser.go(pathOf(back))).status).toBe(303);
  });

  it('comes within ten minutes, or not at all', async () => {
    const [early, late] = [openJar(gateway), openJar(gateway)];
    const first = forging.sendBack(await begin(early, 'forged'));
    clock.advance(10 * 60_000 - 1);
    expect((await early.go(pathOf(first))).status).toBe(303);
    const second = forging.sendBack(await begin(late, 'forged'));
    clock.advance(10 * 60_000);
    expect(refusal(await late.go(pathOf(second)))).toEqual([400, 'OIDC_STATE_INVALID']);
  });

  it('at the callback of another provider is not taken, and that provider is not asked', async () => {
    const browser = openJar(gateway);
    const back = await issuer.signIn(await begin(browser, 'domain'), newPerson());
    const asked = forging.asked.length;
    const mixed = pathOf(back).replace('/oidc/domain/', '/oidc/forged/');
    expect(refusal(await browser.go(mixed))).toEqual([400, 'OIDC_STATE_INVALID']);
    expect(forging.asked).toHaveLength(asked);
  });

  it.each<[string, Record<string, string>]>([
    ['the name of another issuer', { iss: 'https://evil.example' }],
    ['no name of the issuer', { iss: '' }],
    ['an error', { error: 'access_denied', error_description: '<script>alert(1)</script>' }],
  ])('with %s is refused, and no code is redeemed', async (_name, parameters) => {
    const redeemed = () => forging.asked.filter((path) => path === '/token').length;
    const before = redeemed();
    const answer = await forge(openJar(gateway), parameters);
    expect(refusal(answer)).toEqual([403, 'OIDC_REFUSED']);
    expect(answer.text).not.toContain('<script');
    expect([isIn(answer.browser), redeemed()]).toEqual([false, before]);
  });

  const nowSeconds = () => Math.floor(Date.now() / 1_000);
  it.each<[string, () => Record<string, unknown>]>([
    ['another nonce', () => ({ nonce: 'x'.repeat(43) })],
    ['no nonce', () => ({ nonce: undefined })],
    ['another issuer', () => ({ iss: 'https://evil.example' })],
    ['another audience', () => ({ aud: 'somebody else' })],
    ['an end in the past', () => ({ iat: nowSeconds() - 7_200, exp: nowSeconds() - 3_600 })],
  ])('whose token has %s is refused', async (_name, claims) => {
    Object.assign(forging.claims, claims());
    const answer = await forge();
    expect(refusal(answer)).toEqual([403, 'OIDC_REFUSED']);
    expect(isIn(answer.browser)).toBe(false);
  });

  it('whose token is signed with a key that the provider does not publish is refused', async () => {
    forging.usesStrangeKey = true;
    const answer = await forge();
    expect(refusal(answer)).toEqual([403, 'OIDC_REFUSED']);
  });

  it.each<[string, unknown]>([
    ['is not verified', false],
    ['is verified as a text', 'true'],
    ['has no word on it', undefined],
  ])('for somebody new whose address %s makes no account', async (_name, email_verified) => {
    Object.assign(forging.claims, { sub: `unverified-${String(email_verified)}`, email_verified });
    const answer = await forge();
    expect(refusal(answer)).toEqual([403, 'OIDC_REFUSED']);
    const [entry] = await entries('session.sign-in-failed');
    expect(entry).toMatchObject({
      ...{ actor: { kind: 'system', id: 'oidc:forged' }, target: { kind: 'address' } },
      after: { provider: 'forged', reason: 'unverified' },
    });
  });
});

describe('a provider that', () => {
  const unavailable = ({ status, text }: { status: number; text: string }, name: string) => {
    expect([status, text.includes('OIDC_UNAVAILABLE'), text.includes(`${name} cannot be asked`)]).toEqual([
      503,
      true,
      true,
    ]);
  };
  const path = '/.well-known/openid-configuration';

  it('refuses connections, or is where none may be made to, is 503 with a page, and with the body of errors for programs', async () => {
    for (const id of ['nowhere', 'forbidden']) {
      unavailable(await openJar(gateway).go(`/v1/auth/oidc/${id}/start`), `The ${id}`);
      const body = await openJar(gateway).go(`/v1/auth/oidc/${id}/start`, undefined, { accept: 'application/json' });
      expect([body.status, JSON.parse(body.text)]).toEqual([
        503,
        expect.objectContaining({ code: 'OIDC_UNAVAILABLE' }),
      ]);
    }
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['hangs', () => undefined],
    [
      'hangs in the middle',
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
    ],
    ['cuts the connection', (response) => void response.destroy()],
    ['answers HTML', (response) => void response.end('<html>')],
    ['answers nothing', (response) => void response.writeHead(204).end()],
    ['answers an error', (response) => void response.writeHead(500).end('{}')],
    ['leads elsewhere', (response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
    [
      'answers without end',
      (response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('"'.padEnd(2_000_000, 'x')),
    ],
    [
      'answers JSON of another kind',
      (response) => void response.setHeader('content-type', 'application/json').end('[1]'),
    ],
  ])('%s at the redemption of a code is 503 with a page', async (_name, forgery) => {
    forging.forgeries.set('/token', (_request, response) => forgery(response));
    const answer = await forge();
    unavailable(answer, 'The forged');
    expect(isIn(answer.browser)).toBe(false);
    forging.forgeries.clear();
    expect((await forge(answer.browser)).status).toBe(303);
  });

  it('was away at the first use is asked again at the next', async () => {
    const other = await startForgingIssuer('late');
    const provider = { id: 'late', name: 'The late', issuer: other.issuer, clientId: 'late' };
    const file = providersFile([provider]);
    const { mongoUrl, amqpUrl, database } = environment;
    const variables = {
      PUBLIC_URL,
      TRUSTED_PROXIES: '1',
      OIDC_PROVIDERS_FILE: file,
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    };
    const late = await startTestGateway({ ...environment, mongoUrl, amqpUrl, database }, { clock, variables });
    const start = () => openJar(late).go('/v1/auth/oidc/late/start');
    const wellKnown = () => other.asked.filter((asked) => asked === path).length;
    other.forgeries.set(path, (_request, response) => void response.end('garbage'));
    unavailable(await start(), 'The late');
    other.forgeries.clear();
    expect((await Promise.all([start(), start(), start()])).map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(wellKnown()).toBe(2);
    expect((await start()).status).toBe(303);
    clock.advance(3_600_000);
    expect((await start()).status).toBe(303);
    expect(wellKnown()).toBe(3);
    await late.stop();
    await other.stop();
  });
});

describe('who gets an account', () => {
  it('by invitation alone: those with an open invitation for the verified address, once', async () => {
    const person = newPerson();
    const email = person.email ?? '';
    expect((await signIn('invited', person)).status).toBe(403);
    const unused = await invite(email.toUpperCase());
    const { browser, status } = await signIn('invited', person);
    expect([status, await meOf(browser)]).toMatchObject([
      303,
      { email, memberships: [{ projectId: stack.projectId, role: 'viewer' }] },
    ]);
    expect((await openJar(gateway).go(unused)).status).toBe(404);
    const [accepted] = await entries('invitation.accepted');
    expect(accepted).toMatchObject({ actor: { kind: 'user', id: (await meOf(browser)).id } });
  });

  it('not by an invitation of another address, of somebody without the right, or one that has expired', async () => {
    await invite(newEmail());
    expect((await signIn('invited', newPerson())).status).toBe(403);
    const weak = await makePerson(gateway, {
      ...{ workspaceId: stack.workspaceId, nowMs: clock.now() },
      memberships: [{ projectId: stack.projectId, role: 'admin' }],
    });
    const person = newPerson();
    const projectRoles = [{ projectId: stack.projectId, role: 'viewer' }];
    expect((await weak.ask('POST', '/v1/invitations', { email: person.email, projectRoles })).status).toBe(201);
    await changePerson(gateway, weak.user.id, (user) => ({ ...user, memberships: [] }));
    expect((await signIn('invited', person)).status).toBe(403);
  });

  it('an account without a password takes another invitation by its next sign-in, and is not asked for one', async () => {
    const person = newPerson();
    await invite(person.email ?? '');
    await signIn('invited', person);
    const projectRoles = [{ projectId: stack.otherProjectId, role: 'editor' }];
    const link = await invite(person.email ?? '', { projectRoles });
    const page = await openJar(gateway).go(link);
    expect(page.text).toContain('Accept with The invited');
    expect(page.text).not.toContain('type="password"');
    const { browser } = await signIn('invited', person);
    expect((await meOf(browser)).memberships).toHaveLength(2);
    const password = await browser.go('/password', { newPassword: 'four words of my own' });
    expect(password.status).toBe(303);
  });

  it('by the domain: those of an allowed one, and no other that merely ends like it', async () => {
    expect((await signIn('domain', newPerson())).status).toBe(303);
    for (const domain of ['corp.example.evil.example', 'evilcorp.example', 'sub.corp.example']) {
      expect((await signIn('domain', newPerson({ email: newEmail(domain) }))).status).toBe(403);
    }
  });

  it('by a mapped role: those whose groups give one in a project that exists', async () => {
    for (const groups of [undefined, [], ['others'], ['gone'], ['__proto__', 'constructor']]) {
      expect((await signIn('mapped', newPerson(groups === undefined ? {} : { groups }))).status).toBe(403);
    }
    expect((await signIn('mapped', newPerson({ groups: ['editors'] }))).status).toBe(303);
  });

  it('those who are named as owners, by a verified address', async () => {
    const { browser } = await signIn('invited', newPerson({ email: 'Boss@Corp.example' }));
    expect((await meOf(browser)).owner).toBe(true);
    expect((await signIn('invited', newPerson({ email: 'chief@corp.example', email_verified: false }))).status).toBe(
      403,
    );
  });

  it('nobody whose account here is closed', async () => {
    const person = newPerson();
    const { browser } = await signIn('domain', person);
    const { id } = await meOf(browser);
    await owner.ask('PATCH', `/v1/people/${id}`, { state: 'deactivated' });
    expect((await signIn('domain', person)).status).toBe(403);
    expect((await entries('session.sign-in-failed'))[0]).toMatchObject({
      ...{ target: { kind: 'person', id }, after: { reason: 'deactivated' } },
    });
  });
});

describe('mapped roles', () => {
  const membersOf = async (projectId: string) =>
    (await owner.ask<{ members: Member[] }>('GET', `/v1/projects/${projectId}/members?limit=500`)).body.members;
  const roleOf = async (userId: string, projectId = stack.projectId) => {
    const member = (await membersOf(projectId)).find((each) => each.userId === userId);
    return member === undefined ? undefined : [member.role, member.managedBy];
  };

  it('follow the groups at every sign-in: the highest of several, lower ones, and none', async () => {
    const person = newPerson({ groups: ['editors'] });
    const { browser } = await signIn('mapped', person);
    const { id } = await meOf(browser);
    expect(await roleOf(id)).toEqual(['editor', 'mapped']);
    await signIn('mapped', { ...person, groups: ['editors', 'admins', 'unknown'] });
    expect([await roleOf(id), await roleOf(id, stack.otherProjectId ?? '')]).toEqual([
      ['admin', 'mapped'],
      ['viewer', 'mapped'],
    ]);
    await signIn('mapped', { ...person, groups: ['editors'] });
    expect([await roleOf(id), await roleOf(id, stack.otherProjectId ?? '')]).toEqual([['editor', 'mapped'], undefined]);
    // The session that was open before has lost the role as well.
    await signIn('mapped', { ...person, groups: [] });
    expect(await roleOf(id)).toBeUndefined();
    expect((await meOf(browser)).memberships).toEqual([]);
    const removed = await entries('member.removed');
    expect(removed[0]).toMatchObject({ actor: { kind: 'system', id: 'oidc:mapped' }, target: { id } });
  });

  it('cannot be changed by hand, are not raised by an invitation, and take the place of a role given by hand', async () => {
    const person = newPerson({ groups: ['editors'] });
    await invite(person.email ?? '', { projectRoles: [{ projectId: stack.projectId, role: 'admin' }] });
    const { browser } = await signIn('mapped', person);
    const { id } = await meOf(browser);
    expect(await roleOf(id)).toEqual(['editor', 'mapped']);
    const path = `/v1/projects/${stack.projectId}/members/${id}`;
    expect(await owner.ask('PUT', path, { role: 'admin' })).toMatchObject({
      status: 409,
      body: { code: 'MEMBER_MANAGED' },
    });
    expect(await owner.ask('DELETE', path)).toMatchObject({ status: 409, body: { code: 'MEMBER_MANAGED' } });
    const other = `/v1/projects/${stack.otherProjectId}/members/${id}`;
    expect((await owner.ask('PUT', other, { role: 'admin' })).status).toBe(200);
    await signIn('mapped', person);
    expect(await roleOf(id, stack.otherProjectId ?? '')).toEqual(['admin', null]);
  });

  it('of a provider that maps none any more can be changed by hand again', async () => {
    const { id } = await addPerson(gateway, stack.workspaceId, [
      { projectId: stack.projectId, role: 'editor', managedBy: 'former' },
    ]);
    expect(await roleOf(id)).toEqual(['editor', null]);
    const path = `/v1/projects/${stack.projectId}/members/${id}`;
    expect((await owner.ask('PUT', path, { role: 'viewer' })).status).toBe(200);
    expect(await roleOf(id)).toEqual(['viewer', null]);
  });
});

describe('an account that was there before', () => {
  const toLink = async (email: string, person = newPerson({ email })) => {
    const answer = await signIn('domain', person);
    expect([answer.status, answer.location, isIn(answer.browser)]).toEqual([303, '/sign-in/account', false]);
    return { person, browser: answer.browser };
  };

  it('is linked only with its password, and then signs in by itself', async () => {
    const user = await addPerson(gateway, stack.workspaceId, []);
    const { person, browser } = await toLink(user.email);
    const page = await browser.go('/sign-in/account');
    expect(page.text).toContain(user.email);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const wrong = await browser.go('/sign-in/account', { password: 'not the password at all' });
    expect([wrong.status, isIn(browser)]).toEqual([401, false]);
    const unlinked = await signIn('domain', person);
    expect(unlinked.location).toBe('/sign-in/account');
    const right = await browser.go('/sign-in/account', { password: TEST_PASSWORD });
    expect([right.status, right.location, (await meOf(browser)).id]).toEqual([303, '/', user.id]);
    expect(browser.cookies.has('clew_account_link')).toBe(false);
    expect((await entries('person.identity-linked'))[0]).toMatchObject({
      ...{ actor: { kind: 'user', id: user.id }, after: { provider: 'domain', subject: person.sub } },
    });
    const later = await signIn('domain', person);
    expect((await meOf(later.browser)).id).toBe(user.id);
    // The link that the other browser was given is worth nothing now.
    expect((await unlinked.browser.go('/sign-in/account', { password: TEST_PASSWORD })).status).toBe(400);
  });

  it('is linked with a link that signs its person in once, and with none of somebody else', async () => {
    const [user, other] = [
      await addPerson(gateway, stack.workspaceId, []),
      await addPerson(gateway, stack.workspaceId, []),
    ];
    await changePerson(gateway, user.id, (each) => ({ ...each, credentials: [] }));
    const linkFor = async (email: string) =>
      (await gateway.ask<{ link: string }>(stack.adminApiKey, 'POST', '/v1/auth/one-time-links', { email })).body.link;
    const { browser } = await toLink(user.email);
    expect((await browser.go('/sign-in/account')).text).not.toContain('type="password"');
    const foreign = await linkFor(other.email);
    expect((await browser.go('/sign-in/account', { link: foreign })).status).toBe(401);
    const token = new URL(foreign).searchParams.get('token') ?? '';
    expect((await openJar(gateway).go('/sign-in/link', { token })).status).toBe(303);
    expect((await browser.go('/sign-in/account', { link: await linkFor(user.email) })).status).toBe(303);
    expect((await meOf(browser)).id).toBe(user.id);
  });

  it('waits for its confirmation for ten minutes, in the browser that asked, and for forms of this origin', async () => {
    const user = await addPerson(gateway, stack.workspaceId, []);
    const { browser } = await toLink(user.email);
    const foreign = { origin: 'https://evil.example' };
    expect((await browser.go('/sign-in/account', { password: TEST_PASSWORD }, foreign)).status).toBe(403);
    expect((await openJar(gateway).go('/sign-in/account', { password: TEST_PASSWORD })).location).toBe('/sign-in');
    clock.advance(10 * 60_000);
    expect((await browser.go('/sign-in/account', { password: TEST_PASSWORD })).status).toBe(400);
  });

  it('cannot be guessed at: tries share the waiting times of sign-ins', async () => {
    const user = await addPerson(gateway, stack.workspaceId, []);
    const { browser } = await toLink(user.email);
    const tries: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      tries.push((await browser.go('/sign-in/account', { password: 'wrong' })).status);
    }
    expect(tries).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('raced with its password by twenty tabs is linked once', async () => {
    const user = await addPerson(gateway, stack.workspaceId, []);
    const { browser } = await toLink(user.email);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        openJar(gateway).go('/sign-in/account', { password: TEST_PASSWORD }, { cookie }),
      ),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(answers.every(({ status }) => [303, 400, 429].includes(status))).toBe(true);
  });
});

it('people are found by their account at a provider, and invitations by their address, in an index', async () => {
  const database = await openTestDatabase(environment, monitored(environment.mongoUrl));
  const explained = await explainSent(database, async () => {
    await createUserStore(database).findByIdentity({ issuer: 'https://issuer.example', subject: 'ada' });
    await createInvitationStore(database).ofAddress('ada@example.org', 10);
  });
  expect(explained.map(({ plan }) => plan)).toEqual([
    expect.stringMatching(/^find users:.* IXSCAN$/),
    expect.stringMatching(/^find invitations:.* IXSCAN$/),
  ]);
  await database.close();
});
