import fs from 'node:fs';
import path from 'node:path';
import { run } from '../system/run.ts';
import type { Keys } from './secrets.ts';

export interface SeedScriptOptions {
  repositoryRoot: string;
  gatewayUrl: string;
  keys: Keys;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** Path of a script of `tools/seed`; undefined if the checkout lacks it. */
export function findSeedScript(repositoryRoot: string, name: string): string | undefined {
  const script = path.join(repositoryRoot, 'tools', 'seed', 'src', name);
  return fs.existsSync(script) ? script : undefined;
}

/** Runs the script against the gateway, with the key of the seeded project; throws a CommandError if it fails. */
export async function runSeedScript(
  script: string,
  { repositoryRoot, gatewayUrl, keys, env, signal }: SeedScriptOptions,
  onLine: (line: string) => void,
): Promise<void> {
  const { apiKey, projectId } = keys;
  await run(process.execPath, ['--conditions=clew-source', script], {
    cwd: repositoryRoot,
    env: { ...env, CLEW_GATEWAY_URL: gatewayUrl, CLEW_API_KEY: apiKey, CLEW_PROJECT_ID: projectId },
    ...{ signal, onLine },
  });
}
