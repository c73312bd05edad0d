import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@clew/runtime';
import type { CommandContext } from './command.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Returns a setting from the environment, or from the development stack that runs in this checkout. */
export function setting(
  { env }: CommandContext,
  variable: string,
  ofStack: (files: { stack: JsonObject; secrets: JsonObject }) => unknown,
): string {
  const given = env[variable];
  if (given !== undefined && given !== '') return given;
  const home = env['CLEW_HOME'] ?? join(ROOT, '.clew');
  const found = ofStack({ stack: readJson(join(home, 'stack.json')), secrets: readJson(join(home, 'secrets.json')) });
  if (typeof found === 'string') return found;
  throw new UsageError(`Set ${variable}, or start the development stack (npm start)`);
}

type JsonObject = Record<string, unknown>;

function readJson(file: string): JsonObject {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as JsonObject;
  } catch {
    return {};
  }
}
