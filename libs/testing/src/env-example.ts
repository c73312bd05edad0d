import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/** Reads the variables of `.env.example` at the root of the repository. */
export function readEnvExample(): Record<string, string> {
  const file = join(import.meta.dirname, '../../../.env.example');
  return parseEnv(readFileSync(file, 'utf8')) as Record<string, string>;
}
