import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, useTestEnvironment } from '@clew/testing';
import { openBrowser, type TestBrowser } from '../test-support/browser.ts';
import { startTestGateway, type TestGateway } from '../test-support/gateway.ts';
import { INDEX_HTML, makeWorkbenchFolder } from '../test-support/workbench-folder.ts';

const environment = useTestEnvironment();
const EMAIL = 'first@example.org';
const PASSWORD = 'words in a file for the owner';
const secrets = mkdtempSync(join(tmpdir(), 'clew-owner-'));
const folder = makeWorkbenchFolder();
const HTML = { accept: 'text/html' };
let gateway: TestGateway;

beforeAll(async () => {
  const file = join(secrets, 'password');
  writeFileSync(file, PASSWORD);
  const owner = { CLEW_ADMIN_EMAIL: EMAIL, CLEW_ADMIN_PASSWORD_FILE: file };
  gateway = await startTestGateway(environment, { variables: { ...owner, WORKBENCH_DIR: folder } });
});
afterAll(async () => {
  await gateway.stop();
  for (const each of [secrets, folder]) rmSync(each, { recursive: true });
});

const signIn = (browser: TestBrowser, returnTo?: string) =>
  browser.send('POST', '/sign-in', {
    form: { email: EMAIL, password: PASSWORD, ...(returnTo === undefined ? {} : { returnTo }) },
  });

describe('where the Workbench is served', () => {
  it('a person who signs in lands in it, at the page that they came from and never elsewhere', async () => {
    const browser = openBrowser(gateway);
    await eventually(async () => expect((await signIn(browser)).status).toBe(303));
    const locationOf = async (returnTo?: string) =>
      (await signIn(openBrowser(gateway), returnTo)).headers.get('location');
    expect(await locationOf()).toBe('/');
    expect(await locationOf('/p/prj_1/findings?review=new')).toBe('/p/prj_1/findings?review=new');
    expect(await locationOf('//evil.example/p')).toBe('/');
    for (const path of ['/', '/p/prj_1/findings']) {
      const landed = await browser.send('GET', path, { headers: HTML });
      expect([landed.status, landed.text]).toEqual([200, INDEX_HTML]);
    }
  });

  it('the pages without script stay, with the account at an address of its own', async () => {
    const [stranger, browser] = [openBrowser(gateway), openBrowser(gateway)];
    await eventually(async () => expect((await signIn(browser)).status).toBe(303));
    expect((await stranger.send('GET', '/', { headers: HTML })).text).toBe(INDEX_HTML);
    expect((await stranger.send('GET', '/sign-in', { headers: HTML })).text).toContain('name="password"');
    expect((await stranger.send('GET', '/account')).headers.get('location')).toBe('/sign-in');
    expect((await browser.send('GET', '/account')).text).toContain(EMAIL);
    expect((await browser.send('GET', '/sign-in/nothing', { headers: HTML })).status).toBe(404);
  });
});
