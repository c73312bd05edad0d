import { eventually } from '@clew/testing';
import { runningStack } from './stack.ts';

/** Something that is killed: an app of the stack, or its broker. */
export type Victim = { kind: 'app'; name: string } | { kind: 'server'; name: string };

const RECOVERY_TIMEOUT_MS = 90_000;

/** Kills a process with SIGKILL, and resolves once its supervisor has started another that is ready. */
export async function killAndAwaitRecovery(victim: Victim): Promise<void> {
  const before = pidOf(victim);
  process.kill(before, 'SIGKILL');
  await eventually(
    async () => {
      if (pidOf(victim) === before) throw new Error(`${victim.name} was not started again`);
      for (const [name, { url }] of Object.entries(runningStack().services)) {
        const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) });
        if (!response.ok) throw new Error(`${name} is not ready`);
      }
    },
    { timeoutMs: RECOVERY_TIMEOUT_MS, intervalMs: 100 },
  );
}

function pidOf({ kind, name }: Victim): number {
  const { services, servers } = runningStack();
  const pid = (kind === 'app' ? services : servers)[name]?.pid;
  if (pid === undefined) throw new Error(`The stack has no ${name}`);
  return pid;
}
