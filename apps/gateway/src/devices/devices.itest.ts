import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiKey, AuditRecord, Membership } from '@clew/contracts';
import { nativeDb } from '@clew/persistence';
import { explainSent, fixedClock, monitored, useTestEnvironment, type FixedClock } from '@clew/testing';
import { scopesIn } from '../api-keys/scopes-of-person.ts';
import type { BootstrapResult } from '../bootstrap.ts';
import { openJar } from '../test-support/browser-jar.ts';
import { makeWorkspace, openTestDatabase, startTestGateway, type TestGateway } from '../test-support/gateway.ts';
import { addPerson, changePerson, TEST_PASSWORD } from '../test-support/people-of.ts';
import { askWith, makePerson, type TestPerson } from '../test-support/persons.ts';
import { signInTries } from '../sign-in/sign-in-throttle.model.ts';
import { createDeviceStore } from './devices.store.ts';

const environment = useTestEnvironment();
const PUBLIC_URL = 'http://clew.test:8080';
let here: TestGateway;
/** Second replica. */
let there: TestGateway;
let clock: FixedClock;
let stack: BootstrapResult;
let owner: TestPerson;

beforeAll(async () => {
  clock = fixedClock(Date.now());
  const variables = { PUBLIC_URL, TRUSTED_PROXIES: '1' };
  here = await startTestGateway(environment, { clock, variables });
  const { mongoUrl, amqpUrl, database } = environment;
  there = await startTestGateway({ ...environment, mongoUrl, amqpUrl, database }, { clock, variables });
  stack = await makeWorkspace(here.database);
  owner = await person('owner');
});
afterAll(async () => {
  await there.stop();
  await here.stop();
});

interface Started {
  deviceCode: string;
  userCode: string;
  verificationUri: string;
  verificationUriComplete: string;
}
interface Given {
  apiKey: ApiKey;
  secret: string;
  code: string;
}

const person = (memberships: Membership[] | 'owner') =>
  makePerson(here, {
    ...{ workspaceId: stack.workspaceId, nowMs: clock.now(), owner: memberships === 'owner' },
    memberships: memberships === 'owner' ? [] : memberships,
  });

/** Sends a request of a program: no cookie, and no page that makes it. */
const send = <Body>(path: string, body: object, at = here) =>
  askWith<Body & { code: string }>(at.url, { 'sec-fetch-site': 'cross-site' }, 'POST', `/v1/auth/device${path}`, body);

async function start(name = 'laptop', at = here): Promise<Started> {
  const { status, body, headers } = await send<Started>('', { name }, at);
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  return body;
}

/** Asks for the key, after the interval. */
async function ask({ deviceCode }: Started, at = here) {
  clock.advance(60_000);
  return await send<Given>('/token', { deviceCode }, at);
}

const decide = (by: TestPerson, { userCode }: Pick<Started, 'userCode'>, more: object = {}, at = here) =>
  by.ask<{ name: string; decision: string; code: string }>(
    'POST',
    '/v1/auth/device/approve',
    { userCode, ...more },
    at,
  );
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

describe('a device', () => {
  it('gets a key of the person who approves it at any replica: named after it, for 90 days, once', async () => {
    const started = await start('Ada’s laptop');
    expect(started).toMatchObject({
      userCode: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      ...{ verificationUri: `${PUBLIC_URL}/device`, expiresInSeconds: 600, intervalSeconds: 5 },
      verificationUriComplete: `${PUBLIC_URL}/device?code=${started.userCode}`,
    });
    const { deviceCode } = started;
    expect(codeOf(await send('/token', { deviceCode }))).toEqual([400, 'AUTHORIZATION_PENDING']);
    expect((await decide(owner, started, {}, there)).body).toEqual({ name: 'Ada’s laptop', decision: 'approve' });
    const { status, body } = await ask(started);
    expect(status).toBe(200);
    expect(body.apiKey).toMatchObject({
      ...{ name: 'Ada’s laptop', projectIds: 'all', createdBy: owner.user.id, createdByName: owner.user.name },
      expiresAt: clock.now() + 90 * 86_400_000,
    });
    expect((await here.ask(body.secret, 'GET', '/v1/me')).status).toBe(200);
    expect(codeOf(await ask(started))).toEqual([400, 'INVALID_GRANT']);
    const audit = await owner.ask<{ entries: AuditRecord[] }>('GET', '/v1/audit?action=device');
    expect(audit.body.entries.map(({ action }) => action)).toEqual(['device.signed-in', 'device.approved']);
  });

  it('is in the list of keys by its name, with who approved it, whether they are a member of the project or not', async () => {
    const started = await start('Ada’s desktop');
    await decide(owner, started);
    await ask(started);
    const admin = await person([{ projectId: stack.projectId, role: 'admin' }]);
    const path = `/v1/projects/${stack.projectId}/api-keys`;
    const { body } = await admin.ask<{ apiKeys: ApiKey[] }>('GET', path);
    expect(body.apiKeys.find(({ name }) => name === 'Ada’s desktop')).toMatchObject({
      createdBy: owner.user.id,
      createdByName: owner.user.name,
    });
  });

  it('has no code in the database', async () => {
    const started = await start();
    const stored = await nativeDb(here.database.connection).collection('devices').find().toArray();
    const text = JSON.stringify(stored);
    for (const code of [started.deviceCode, started.userCode, started.userCode.replace('-', '')]) {
      expect(text).not.toContain(code);
    }
  });

  it('that asks too often is told so, and has to wait longer each time', async () => {
    const { deviceCode } = await start();
    const poll = async () => codeOf(await send('/token', { deviceCode }))[1];
    expect(await poll()).toBe('AUTHORIZATION_PENDING');
    clock.advance(4_999);
    expect(await poll()).toBe('SLOW_DOWN');
    clock.advance(9_999);
    expect(await poll()).toBe('SLOW_DOWN');
    clock.advance(15_000);
    expect(await poll()).toBe('AUTHORIZATION_PENDING');
  });

  it('that was denied hears so, and gets no key, however often it is approved afterwards', async () => {
    const started = await start();
    expect((await decide(owner, started, { decision: 'deny' })).body.decision).toBe('deny');
    expect((await decide(owner, started)).status).toBe(404);
    expect(codeOf(await ask(started))).toEqual([400, 'ACCESS_DENIED']);
  });

  it('has ten minutes: afterwards it is not approved, and an approved one gets nothing', async () => {
    const [late, approved] = [await start(), await start()];
    await decide(owner, approved);
    clock.advance(600_000);
    expect((await decide(owner, late)).status).toBe(404);
    for (const started of [late, approved]) expect(codeOf(await ask(started))).toEqual([400, 'EXPIRED_TOKEN']);
  });

  it('raced by fifty approvals and fifty questions at two replicas gets one key', async () => {
    const started = await start('raced');
    const at = (turn: number) => (turn % 2 === 0 ? here : there);
    const approvals = await Promise.all(Array.from({ length: 50 }, (_, turn) => decide(owner, started, {}, at(turn))));
    expect(approvals.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(approvals.every(({ status }) => [200, 404, 429].includes(status))).toBe(true);
    clock.advance(60_000);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, turn) => send<Given>('/token', { deviceCode: started.deviceCode }, at(turn))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const keys = nativeDb(here.database.connection).collection('api_keys');
    expect(await keys.countDocuments({ name: 'raced' })).toBe(1);
  });

  it('with a made-up code is unknown, and such tries have to wait in the end', async () => {
    const one = () =>
      askWith(here.url, { 'x-forwarded-for': '192.0.2.77' }, 'POST', '/v1/auth/device/token', {
        deviceCode: 'x'.repeat(43),
      });
    const statuses: number[] = [];
    for (let tries = 0; tries < 22; tries += 1) statuses.push((await one()).status);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(400));
    expect(statuses.at(-1)).toBe(429);
  });

  it('does not wait beside more than a hundred others of one address', async () => {
    const from = { 'x-forwarded-for': '192.0.2.78' };
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => askWith(here.url, from, 'POST', '/v1/auth/device', { name: 'x' })),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect((await askWith(here.url, from, 'POST', '/v1/auth/device', { name: 'x' })).status).toBe(429);
  });
});

describe('the approval of a device', () => {
  const first = (role: Membership['role']) => [{ projectId: stack.projectId, role }];

  it.each(['viewer', 'editor', 'admin'] as const)('by a %s gives no more than that role', async (role) => {
    const member = await person(first(role));
    const started = await start();
    await decide(member, started);
    const { body } = await ask(started);
    expect(body.apiKey.projectIds).toEqual([stack.projectId]);
    expect(body.apiKey.scopes).toEqual(scopesIn(member.user, [stack.projectId]));
    const me = await here.ask<{ projectIds: string[] }>(body.secret, 'GET', '/v1/me');
    expect(me.body.projectIds).toEqual([stack.projectId]);
  });

  it('for one project gives the scopes of that one, and for all those of every one', async () => {
    const other = stack.otherProjectId ?? '';
    const member = await person([...first('admin'), { projectId: other, role: 'viewer' }]);
    const [all, one] = [await start(), await start()];
    await decide(member, all);
    await decide(member, one, { projectId: stack.projectId });
    const [ofAll, ofOne] = [(await ask(all)).body.apiKey, (await ask(one)).body.apiKey];
    expect([ofAll.projectIds, ofAll.scopes]).toEqual([[stack.projectId, other], scopesIn(member.user, [other])]);
    expect([ofOne.projectIds, ofOne.scopes]).toEqual([[stack.projectId], scopesIn(member.user, [stack.projectId])]);
  });

  it('gives nothing to who lost their rights between it and the delivery', async () => {
    const member = await person(first('admin'));
    const [lowered, gone] = [await start(), await start()];
    await decide(member, lowered);
    await decide(member, gone);
    await changePerson(here, member.user.id, (user) => ({ ...user, memberships: first('viewer') }));
    expect((await ask(lowered)).body.apiKey.scopes).not.toContain('workspace:write');
    await changePerson(here, member.user.id, (user) => ({ ...user, state: 'deactivated' }));
    expect(codeOf(await ask(gone))).toEqual([400, 'ACCESS_DENIED']);
  });

  it('is not for who has no project, for a project of others, for a key, nor for pages of another origin', async () => {
    const started = await start();
    const nobody = await person([]);
    expect((await decide(nobody, started)).status).toBe(403);
    const member = await person(first('editor'));
    expect((await decide(member, started, { projectId: stack.otherProjectId })).status).toBe(404);
    const elsewhere = await makeWorkspace(here.database);
    expect((await decide(owner, started, { projectId: elsewhere.projectId })).status).toBe(404);
    const path = '/v1/auth/device/approve';
    const body = { userCode: started.userCode };
    expect((await here.ask(stack.adminApiKey, 'POST', path, body)).status).toBe(403);
    const foreign = { cookie: member.cookie, 'sec-fetch-site': 'cross-site' };
    expect(codeOf(await askWith(here.url, foreign, 'POST', path, body))).toEqual([403, 'CROSS_ORIGIN']);
    expect((await askWith(here.url, {}, 'POST', path, body)).status).toBe(401);
    expect((await decide(member, started)).status).toBe(200);
  });

  it('with wrong codes has to wait after five', async () => {
    // Failures of the tests before came from the same address, which has to wait after some more.
    await signInTries(here.database.connection).deleteMany({});
    const member = await person(first('viewer'));
    const statuses: number[] = [];
    for (let tries = 0; tries < 6; tries += 1) statuses.push((await decide(member, { userCode: 'BBBB-BBBB' })).status);
    expect(statuses).toEqual([404, 404, 404, 404, 404, 429]);
    expect((await decide(member, await start())).status).toBe(429);
    expect((await decide(owner, await start())).status).toBe(200);
  });
});

describe('the page for devices', () => {
  it('asks to sign in first, shows what asks with the same code, and approves or denies without script', async () => {
    const user = await addPerson(here, stack.workspaceId, [{ projectId: stack.projectId, role: 'editor' }]);
    const started = await start('<b>laptop</b>');
    const browser = openJar(here);
    const { pathname, search } = new URL(started.verificationUriComplete);
    const away = await browser.go(`${pathname}${search}`);
    const signIn = await browser.go(away.location ?? '');
    expect(signIn.text).toContain('name="returnTo"');
    const returnTo = new URL(away.location ?? '', PUBLIC_URL).searchParams.get('returnTo') ?? '';
    const back = await browser.go('/sign-in', { email: user.email, password: TEST_PASSWORD, returnTo });
    expect([back.status, back.location]).toEqual([303, `/device?code=${started.userCode}`]);
    const typed = await browser.go(back.location ?? '');
    expect(typed.text).toContain(`value="${started.userCode}"`);
    expect(typed.headers.get('content-security-policy')).toContain("default-src 'none'");
    const compared = await browser.go('/device', { userCode: started.userCode.toLowerCase() });
    expect(compared.text).toContain(started.userCode);
    expect(compared.text).toContain('&lt;b&gt;laptop&lt;/b&gt;');
    expect(compared.text).toContain(`<option value="${stack.projectId}">First</option>`);
    expect(codeOf(await ask(started))).toEqual([400, 'AUTHORIZATION_PENDING']);
    const choice = { userCode: started.userCode, decision: 'approve', projectId: stack.projectId };
    const foreign = await browser.go('/device', choice, { origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    expect((await browser.go('/device', choice)).text).toContain('The device is connected');
    expect((await ask(started)).status).toBe(200);
    const again = await browser.go('/device', { userCode: started.userCode });
    expect([again.status, again.text.includes('No device waits with this code')]).toEqual([404, true]);
    const other = await start();
    const denied = await browser.go('/device', { userCode: other.userCode, decision: 'deny', projectId: '' });
    expect(denied.text).toContain('The device is denied');
    expect(codeOf(await ask(other))).toEqual([400, 'ACCESS_DENIED']);
  });
});

it('devices are found by their codes, and counted by their address, in an index', async () => {
  const database = await openTestDatabase(environment, monitored(environment.mongoUrl));
  const devices = createDeviceStore(database);
  const explained = await explainSent(database, async () => {
    await devices.findByUserCode('hash');
    await devices.countWaiting('hash', Date.now(), 10);
  });
  expect(explained.map(({ plan }) => plan)).toEqual([
    expect.stringMatching(/^find devices:.* IXSCAN$/),
    expect.stringMatching(/devices:.*IXSCAN/),
  ]);
  await database.close();
});
