import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { runCommand } from '../run.ts';

const folder = mkdtempSync(join(tmpdir(), 'clew-preflight-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, key: string, value: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, key), value);
}

async function preflight(...needed: string[]) {
  let output = '';
  const code = await runCommand(['preflight', folder, ...needed], { env: {}, write: (text) => (output += text) });
  return { code, output };
}

it('fails while a value is missing or empty, names each of them by its key, and shows no value', async () => {
  write('clew-auth', 'AUTH_SECRET', 'a-secret-value');
  write('clew-gateway', 'AMQP_URL', '\n');
  const { code, output } = await preflight('clew-auth/AUTH_SECRET', 'clew-gateway/AMQP_URL', 'clew-gateway/MONGO_URL');
  expect(code).toBe(1);
  expect(output).toContain('  clew-gateway/AMQP_URL\n  clew-gateway/MONGO_URL\n');
  expect(output).not.toContain('clew-auth/');
  expect(output).not.toContain('a-secret-value');
});

it('succeeds once everything is there', async () => {
  write('clew-auth', 'AUTH_SECRET', 'a');
  write('clew-gateway', 'AMQP_URL', 'b');
  expect(await preflight('clew-auth/AUTH_SECRET', 'clew-gateway/AMQP_URL')).toMatchObject({ code: 0 });
});

it('wants to know what to look for', async () => {
  expect(await preflight()).toMatchObject({ code: 2 });
});
