import path from 'node:path';
import { waitForLock, type Lock } from '../system/lock.ts';
import type { Step } from './progress.ts';

/** Takes the lock of builds: two stacks of one checkout must not write the same files at the same time. */
export async function lockBuilds(repositoryRoot: string, signal: AbortSignal, step: Step): Promise<Lock> {
  const file = path.join(repositoryRoot, 'node_modules', '.clew-build.lock');
  return await waitForLock(file, signal, () => step.note('waiting for another build of this checkout'));
}

/** Environment with the checkout's own tools first in PATH, including its Node. */
export function withLocalBinaries(repositoryRoot: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const directories = [
    path.dirname(process.execPath),
    path.join(repositoryRoot, 'node_modules', '.bin'),
    env['PATH'] ?? '',
  ];
  return { ...env, PATH: directories.join(path.delimiter) };
}

/** Last lines of the output of a command, without empty ones. */
export function lastLines(output: string, count: number): string[] {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-count);
}
