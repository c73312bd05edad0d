import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { deriveSecret } from '@clew/kernel';
import { runCommand } from '../run.ts';

const folder = mkdtempSync(join(tmpdir(), 'clew-agent-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

const AUTH_SECRET = 'the secret of a deployment, long enough';
const AUTH_SECRET_PREVIOUS = 'the secret of a deployment before, long enough';
const file = join(folder, 'keys', 'agent-keys.json');

async function writtenWith(env: Record<string, string>): Promise<unknown> {
  expect(await runCommand(['agent-keys', file], { env, write: () => undefined })).toBe(0);
  return JSON.parse(readFileSync(file, 'utf8'));
}

it('the agent gets keys for its own uses, for the eyes of their owner, and never the secret that they derive from', async () => {
  const derived = (secret: string, label: 'engine-key/v1' | 'kek/v1') =>
    deriveSecret(secret, label).toString('base64url');
  expect(await writtenWith({ AUTH_SECRET })).toEqual({
    engineKey: derived(AUTH_SECRET, 'engine-key/v1'),
    credentialKeys: [derived(AUTH_SECRET, 'kek/v1')],
  });
  expect(await writtenWith({ AUTH_SECRET, AUTH_SECRET_PREVIOUS })).toMatchObject({
    credentialKeys: [derived(AUTH_SECRET, 'kek/v1'), derived(AUTH_SECRET_PREVIOUS, 'kek/v1')],
  });
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  expect(readFileSync(file, 'utf8')).not.toContain(AUTH_SECRET);
});

it('is called with the one file, and with the number of a user', async () => {
  const context = { env: { AUTH_SECRET }, write: () => undefined };
  expect(await runCommand(['agent-keys'], context)).toBe(2);
  expect(await runCommand(['agent-keys', file, '--owner', 'root'], context)).toBe(2);
});
