import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditRecord } from '@clew/contracts';
import { useTestEnvironment } from '@clew/testing';
import type { BootstrapResult } from './bootstrap.ts';
import { makeResetLink } from './reset-link.ts';
import { openJar } from './test-support/browser-jar.ts';
import { makeWorkspace, startTestGateway, type TestGateway } from './test-support/gateway.ts';
import { addPerson, changePerson } from './test-support/people-of.ts';

const environment = useTestEnvironment();
const PASSWORD = 'four words of my own';
let gateway: TestGateway;
let stack: BootstrapResult;

beforeAll(async () => {
  gateway = await startTestGateway(environment, {
    variables: { PUBLIC_URL: 'http://clew.test:8080', TRUSTED_PROXIES: '1' },
  });
  stack = await makeWorkspace(gateway.database);
});
afterAll(() => gateway.stop());

const make = (email: string) => makeResetLink(gateway.database, gateway.config, email);

describe('the reset link that the command on the server makes', () => {
  it('lets the last owner in, once, and is in the audit', async () => {
    const owner = await addPerson(gateway, stack.workspaceId);
    const { link } = await make(owner.email.toUpperCase());
    expect(link).toMatch(/^http:\/\/clew\.test:8080\/resets\/[\w-]{43}$/);
    const browser = openJar(gateway);
    const used = await browser.go(new URL(link).pathname, { password: PASSWORD });
    expect([used.status, browser.cookies.has('clew_session')]).toEqual([303, true]);
    expect((await openJar(gateway).go(new URL(link).pathname)).status).toBe(404);
    const { body } = await gateway.ask<{ entries: AuditRecord[] }>(stack.adminApiKey, 'GET', '/v1/audit?action=reset');
    expect(body.entries).toMatchObject([
      { action: 'reset.used', target: { id: owner.id } },
      { action: 'reset.created', actor: { kind: 'system', id: 'reset-link' }, target: { id: owner.id } },
    ]);
  });

  it('takes the place of an earlier one, and is for active people alone', async () => {
    const person = await addPerson(gateway, stack.workspaceId, []);
    const [first, second] = [await make(person.email), await make(person.email)];
    expect((await openJar(gateway).go(new URL(first.link).pathname)).status).toBe(404);
    expect((await openJar(gateway).go(new URL(second.link).pathname)).status).toBe(200);
    await changePerson(gateway, person.id, (user) => ({ ...user, state: 'deactivated' }));
    expect((await openJar(gateway).go(new URL(second.link).pathname)).status).toBe(404);
    await expect(make(person.email)).rejects.toThrow('deactivated');
    await expect(make('nobody@example.org')).rejects.toThrow('nobody with this address');
  });
});
