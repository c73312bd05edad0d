import { eventuallyGone } from './gone.ts';
import { NONCE_VARIABLE, runningPids, variableOf } from './identity.ts';

/** Numbers of the processes that carry the mark. */
export function processesMarked(mark: string): number[] {
  return runningPids().filter((pid) => variableOf(pid, NONCE_VARIABLE) === mark);
}

/** Ends processes; resolves when they are gone. */
export async function endProcesses(pids: readonly number[]): Promise<void> {
  for (const pid of pids) kill(pid);
  await eventuallyGone(pids);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
