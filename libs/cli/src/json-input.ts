import type { Context } from './command.ts';
import { usageError } from './exit.ts';

/** Reads a JSON object from a file, or with `-` from what is piped in. */
export async function readJsonObject(context: Context, file: string): Promise<Record<string, unknown>> {
  const value = parsed(await context.read(file));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw usageError(`${file === '-' ? 'The input' : file} is no JSON object`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
