import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import { locate, settled, type Hands, type Person, type Thing } from '@clew/browser';
import { runningStack } from '../support/stack.ts';
import { createTestProject } from '../support/test-project.ts';
import { HANDS, focusIsKept, JOURNEY_TIMEOUT_MS, noticeOf, visit } from '../support/workbench/journeys.ts';
import { useBrowser } from '../support/workbench/workbench.ts';

const { openOwner } = useBrowser();
const run = promisify(execFile);
const button = (name: string): Thing => ({ role: 'button', name });

/** Calls an address with curl and a key; resolves with the status. */
async function curl(secret: string, address: string): Promise<number> {
  const options = ['--silent', '--output', '/dev/null', '--write-out', '%{http_code}'];
  const { stdout } = await run('curl', [...options, '--header', `Authorization: Bearer ${secret}`, address]);
  return Number(stdout);
}

/** Secret that the page shows this once. */
async function shownSecret(person: Person, hands: Hands): Promise<string> {
  const secret = (await person.page.getByLabel('Secret of the key').innerText()).trim();
  await hands.press(button('I have kept it'));
  await person.page.getByRole('dialog').waitFor({ state: 'detached' });
  await focusIsKept(person);
  return secret;
}

async function makeKey(person: Person, hands: Hands): Promise<string> {
  await hands.press(button('New key'));
  await hands.write({ role: 'textbox', name: 'Name' }, 'till');
  await hands.choose({ role: 'combobox', name: 'What it is for' }, 'A script that reads Findings');
  await hands.tick({ role: 'checkbox', name: /workspace:read/ });
  await hands.press(button('Make the key'));
  await person.page.getByLabel('Use of the key').waitFor();
  return await shownSecret(person, hands);
}

async function rotateKey(person: Person, hands: Hands): Promise<string> {
  await hands.press(button('Rotate till'));
  await hands.choose({ role: 'combobox', name: 'The old key ends' }, 'After an hour');
  await hands.press(button('Make the successor'));
  return await shownSecret(person, hands);
}

describe.each(HANDS)('keys %s', (name, handsOf) => {
  it(
    'a key with two scopes works in curl for these alone, lives on beside its successor, and is refused within a second once it is revoked; the audit says who did what, when and from where',
    async () => {
      const project = await createTestProject(`keys ${name}`);
      const { gatewayUrl } = runningStack();
      const below = (path: string) => new URL(`/v1/projects/${project.id}${path}`, gatewayUrl).href;
      const person = await openOwner();
      const hands: Hands = handsOf(person.page);
      await visit(person, `/p/${project.id}/settings/keys`);

      const secret = await makeKey(person, hands);
      const paths = ['/diagnostics/findings', '/datasets', '/api-keys'];
      expect(await Promise.all(paths.map((path) => curl(secret, below(path))))).toEqual([200, 200, 403]);
      const successor = await rotateKey(person, hands);
      expect(await Promise.all([secret, successor].map((each) => curl(each, below('/datasets'))))).toEqual([200, 200]);

      const row: Thing = { role: 'row', name: new RegExp(successor.slice(0, 12)) };
      await hands.press({ ...button('Revoke…'), within: row });
      await hands.press(button('Revoke the key'));
      await noticeOf(person, /is revoked/).waitFor();
      await eventually(async () => expect(await curl(successor, below('/datasets'))).toBe(401), {
        timeoutMs: 1_000,
        intervalMs: 50,
      });
      await focusIsKept(person);

      await hands.press({ role: 'link', name: 'Audit' });
      await settled(person.page, person.watch);
      const entries = locate(person.page, { role: 'region', name: 'Audit' }).getByRole('row');
      const latest = entries.nth(1);
      expect(await latest.innerText()).toMatch(/owner[^]*from (127\.0\.0\.1|::)[^]*revoked/i);
      expect(await latest.locator('time').count()).toBe(1);
      expect(person.watch.told()).toEqual([]);
      await person.close();
    },
    JOURNEY_TIMEOUT_MS,
  );
});
