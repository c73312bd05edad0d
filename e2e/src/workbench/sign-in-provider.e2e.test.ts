import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openBrowser, settled, type Person, type TestBrowser } from '@clew/browser';
import { findFreePort, startBeside, type ProcessBeside } from '@clew/stack';
import { startLoopbackIssuer, type LoopbackIssuer } from '@clew/testing/oidc';
import { stackHome } from '../support/stack.ts';
import { createTestProject, type TestProject } from '../support/test-project.ts';
import { HANDS, JOURNEY_TIMEOUT_MS, type HandsOf } from '../support/workbench/journeys.ts';

const SECRET = 'the secret of the client';
const START_TIMEOUT_MS = 240_000;
const folder = mkdtempSync(join(tmpdir(), 'clew-providers-'));
let project: TestProject;
let issuer: LoopbackIssuer;
let gateway: ProcessBeside;
let browser: TestBrowser;

// Gateway of its own, since a deployment reads its providers once.
beforeAll(async () => {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  project = await createTestProject('sign-in provider');
  const redirectUri = `${url}/v1/auth/oidc/acme/callback`;
  issuer = await startLoopbackIssuer([{ id: 'clew', secret: SECRET, redirectUri }]);
  const OIDC_PROVIDERS_FILE = join(folder, 'providers.json');
  writeFileSync(OIDC_PROVIDERS_FILE, JSON.stringify({ providers: [acme()] }));
  writeFileSync(join(folder, 'secret'), `${SECRET}\n`);
  gateway = await startBeside(stackHome(), 'gateway', { PUBLIC_URL: url, OIDC_PROVIDERS_FILE }, { port });
  browser = await openBrowser(url);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await browser.close();
  await gateway.stop();
  await issuer.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Provider whose groups give roles: everybody who works there may look, and editors may change. */
function acme(): object {
  const role = (name: string) => [{ project: project.id, role: name }];
  return {
    ...{ id: 'acme', name: 'Acme', issuer: issuer.issuer, clientId: 'clew', clientSecretFile: 'secret' },
    ...{ scopes: ['openid', 'email', 'profile', 'groups'], signUp: 'mapped' },
    roleMapping: { claim: 'groups', map: { staff: role('viewer'), editors: role('editor') } },
  };
}

/** Opens the Datasets in a new window, and comes to them by way of the provider, as a member of some groups. */
async function signIn(handsOf: HandsOf, name: string, groups: string[]): Promise<Person> {
  const email = `${name.replaceAll(' ', '-')}@acme.example`;
  issuer.become({ sub: name, email, email_verified: true, name: 'Ada Acme', groups });
  const person = await browser.openSignedOut();
  await person.go(`/p/${project.id}/datasets`);
  await handsOf(person.page).press({ role: 'link', name: /with Acme$/ });
  await person.page.waitForURL(new RegExp(`/p/${project.id}/datasets$`));
  await settled(person.page, person.watch);
  return person;
}

const makes = ({ page }: Person) => page.getByRole('button', { name: 'New Dataset' }).first();

describe.each(HANDS)('a sign-in provider %s', (name, handsOf) => {
  it(
    'brings somebody to the page that they wanted, as an editor by their group; without it, the next sign-in finds a viewer',
    async () => {
      const editor = await signIn(handsOf, name, ['staff', 'editors']);
      await makes(editor).waitFor();
      const viewer = await signIn(handsOf, name, ['staff']);
      await viewer.page.getByRole('heading', { name: 'Datasets', exact: true }).waitFor();
      expect(await makes(viewer).count()).toBe(0);
      const ofOthers = (line: string) => line.includes(issuer.issuer);
      for (const person of [editor, viewer]) {
        // The page learns by a 401 that nobody is signed in.
        const told = person.watch.told({ withFailedAnswers: false });
        expect(told.filter((line) => !ofOthers(line))).toEqual([]);
        await person.close();
      }
    },
    JOURNEY_TIMEOUT_MS,
  );
});
