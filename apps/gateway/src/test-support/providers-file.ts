import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Writes a file of sign-in providers, beside one named `secret`; returns its path. */
export function providersFile(providers: readonly object[], secret = 'a secret'): string {
  const folder = mkdtempSync(join(tmpdir(), 'clew-providers-'));
  const file = join(folder, 'providers.json');
  writeFileSync(file, JSON.stringify({ providers }));
  writeFileSync(join(folder, 'secret'), `${secret}\n`);
  return file;
}
