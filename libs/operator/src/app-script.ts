import { spawn } from 'node:child_process';
import { join } from 'node:path';

const APPS = join(import.meta.dirname, '../../../apps');

/** Runs a script of an app to its end and resolves with the exit code: from source where this runs from source. */
export function runAppScript(
  app: string,
  script: string,
  { args = [], env }: { args?: readonly string[]; env: NodeJS.ProcessEnv },
): Promise<number> {
  const isSource = import.meta.filename.endsWith('.ts');
  const file = isSource ? join(APPS, app, 'src', `${script}.ts`) : join(APPS, app, 'dist', `${script}.js`);
  const conditions = isSource ? ['--conditions=clew-source'] : [];
  const child = spawn(process.execPath, [...conditions, file, ...args], { env, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
}
