import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useTestEnvironment } from '@clew/testing';
import { createUserStore } from '../people/users.store.ts';
import { readWays } from './create-oidc.ts';
import { openBrowser } from '../test-support/browser.ts';
import { openJar, type JarBrowser } from '../test-support/browser-jar.ts';
import { startForgingIssuer, type ForgingIssuer } from '../test-support/forging-issuer.ts';
import { startTestGateway, type TestGateway } from '../test-support/gateway.ts';
import { providersFile } from '../test-support/providers-file.ts';
import { addPerson, TEST_PASSWORD } from '../test-support/people-of.ts';

const environment = useTestEnvironment();
let gateway: TestGateway;
let issuer: ForgingIssuer;

beforeAll(async () => {
  issuer = await startForgingIssuer('clew');
  const provider = { id: 'only', name: 'The only one', issuer: issuer.issuer, clientId: 'clew' };
  const OIDC_PROVIDERS_FILE = providersFile([provider]);
  gateway = await startTestGateway(environment, {
    variables: {
      ...{ PUBLIC_URL: 'http://clew.test:8080', TRUSTED_PROXIES: '1', OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' },
      ...{ OIDC_PROVIDERS_FILE, OIDC_ADMIN_EMAILS: 'boss@example.org', PASSWORD_SIGN_IN: 'off' },
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await issuer.stop();
});

async function signIn(sub: string, email: string): Promise<{ browser: JarBrowser; status: number }> {
  Object.assign(issuer.claims, { sub, email, email_verified: true });
  const browser = openJar(gateway);
  const { location } = await browser.go('/v1/auth/oidc/only/start');
  const { pathname, search } = issuer.sendBack(location ?? '');
  return { browser, status: (await browser.go(`${pathname}${search}`)).status };
}

const meOf = async (browser: JarBrowser) =>
  JSON.parse((await browser.go('/v1/me')).text) as { id: string; owner: boolean };

describe('a deployment without passwords', () => {
  it('lets in nobody before somebody whom the configuration names, who becomes the first owner', async () => {
    expect((await signIn('stranger', 'stranger@example.org')).status).toBe(403);
    const { browser, status } = await signIn('boss', 'boss@example.org');
    expect([status, await meOf(browser)]).toMatchObject([303, { owner: true, projectIds: 'all' }]);
    const methods = JSON.parse((await browser.go('/v1/auth/methods')).text) as object;
    expect(methods).toMatchObject({ password: false, setup: false });
    expect((await browser.go('/')).text).not.toContain('Change the password');
  });

  it('offers no form for a password, and takes none', async () => {
    const { browser } = await signIn('boss', 'boss@example.org');
    const { id } = await meOf(browser);
    const user = await addPerson(gateway, (await workspaceOf(id)) ?? '', []);
    const page = await openJar(gateway).go('/sign-in');
    expect([page.text.includes('<form'), page.text.includes('Sign in with The only one')]).toEqual([false, true]);
    const body = { email: user.email, password: TEST_PASSWORD };
    const refused = await openBrowser(gateway).send<{ code: string }>('POST', '/v1/auth/sign-in', { body });
    expect([refused.status, refused.body.code]).toEqual([403, 'PASSWORD_SIGN_IN_OFF']);
    expect((await openJar(gateway).go('/sign-in', body)).status).toBe(403);
  });

  it('has invitations that are accepted at the provider alone, and reset links for an emergency', async () => {
    const { browser } = await signIn('boss', 'boss@example.org');
    const send = (method: string, path: string, body?: unknown) => {
      const owner = openBrowser(gateway);
      owner.cookie = browser.cookies.get('clew_session');
      return owner.send<{ link: string }>(method, path, { body });
    };
    const made = await send('POST', '/v1/invitations', { email: 'ada@example.org', role: 'owner' });
    const { pathname } = new URL(made.body.link);
    expect((await openJar(gateway).go(pathname)).text).not.toContain('<form');
    const accept = { name: 'Ada', password: 'four words of my own' };
    const refused = await openBrowser(gateway).send<{ code: string }>('POST', `/v1/auth${pathname}`, { body: accept });
    expect([refused.status, refused.body.code]).toEqual([403, 'PASSWORD_SIGN_IN_OFF']);
    const ada = await signIn('ada', 'ada@example.org');
    const { id, owner } = await meOf(ada.browser);
    expect([ada.status, owner]).toEqual([303, true]);
    const reset = await send('POST', `/v1/people/${id}/reset-links`);
    const used = await openJar(gateway).go(new URL(reset.body.link).pathname, { password: 'four words of my own' });
    expect(used.status).toBe(303);
  });

  it('does not start without a provider', () => {
    const config = { ...gateway.config, OIDC_PROVIDERS_FILE: undefined };
    expect(() => readWays(config)).toThrow('PASSWORD_SIGN_IN: must be on');
  });
});

async function workspaceOf(userId: string): Promise<string | undefined> {
  return (await createUserStore(gateway.database).get(userId))?.workspaceId;
}
