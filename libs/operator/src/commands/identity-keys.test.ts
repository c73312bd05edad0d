import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrivateKey } from 'node:crypto';
import { afterAll, expect, it } from '@jest/globals';
import { runCommand } from '../run.ts';

const folder = mkdtempSync(join(tmpdir(), 'clew-keys-'));
const context = { env: {}, write: () => undefined };
afterAll(() => rmSync(folder, { recursive: true }));

it('makes keys that verify what each process signs, for the eyes of their owner, and keeps those that are there', async () => {
  expect(await runCommand(['identity-keys', folder], context)).toBe(0);
  const before = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(await runCommand(['identity-keys', folder], context)).toBe(0);
  expect(readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(before);

  const file = join(folder, 'jobs-worker.pem');
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  expect(createPrivateKey(readFileSync(file)).asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
  const { keys } = JSON.parse(readFileSync(join(folder, 'public-keys.json'), 'utf8')) as { keys: { kid: string }[] };
  expect(keys.map(({ kid }) => kid)).toContain('jobs-worker');
  expect(keys.map(({ kid }) => kid)).not.toContain('model-runtime-agent');
});

it('puts each private key into a folder of its own where they are to be apart, and the public keys into another', async () => {
  const apart = join(folder, 'apart');
  expect(await runCommand(['identity-keys', apart, '--separate'], context)).toBe(0);
  const { keys } = JSON.parse(readFileSync(join(apart, 'public/public-keys.json'), 'utf8')) as {
    keys: { kid: string }[];
  };
  expect(readdirSync(apart).sort()).toEqual([...keys.map(({ kid }) => kid), 'public'].sort());
  for (const { kid } of keys) expect(readdirSync(join(apart, kid))).toEqual(['private.pem']);
});

it('is called with the one folder', async () => {
  expect(await runCommand(['identity-keys'], context)).toBe(2);
});
