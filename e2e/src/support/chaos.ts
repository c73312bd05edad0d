import { eventually } from '@clew/testing';
import { runningStack } from './stack.ts';

/** Process to kill: an instance of an app of the stack, or a server. */
export type Victim = { kind: 'app'; name: string; instance?: number } | { kind: 'server'; name: string };

const RECOVERY_TIMEOUT_MS = 90_000;
const LOOK_EVERY_MS = 100;

/** Kills a process with SIGKILL, and resolves once its supervisor has started a new one and all processes are ready. */
export async function killAndAwaitRecovery(victim: Victim): Promise<void> {
  await endAndAwaitSuccessor(victim, 'SIGKILL');
  await eventually(
    async () => {
      for (const { name, url } of processes()) {
        const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) });
        if (!response.ok) throw new Error(`${name} is not ready`);
      }
    },
    { timeoutMs: RECOVERY_TIMEOUT_MS, intervalMs: LOOK_EVERY_MS },
  );
}

/** Ends a process with a signal, and resolves once its supervisor has started a new one. */
export async function endAndAwaitSuccessor(victim: Victim, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const before = pidOf(victim);
  process.kill(before, signal);
  await eventually(
    () => {
      if (pidOf(victim) === before) throw new Error(`${victim.name} was not started again`);
    },
    { timeoutMs: RECOVERY_TIMEOUT_MS, intervalMs: LOOK_EVERY_MS },
  );
}

/** All app processes of the stack. */
export function processes(): { name: string; instance: number; url: string; pid: number | null }[] {
  return Object.entries(runningStack().services).flatMap(([name, service]) =>
    (service.instances ?? [service]).map(({ url, pid }, instance) => ({ name, instance, url, pid })),
  );
}

export function pidOf(victim: Victim): number {
  const pid =
    victim.kind === 'server'
      ? runningStack().servers[victim.name]?.pid
      : processes().find(({ name, instance }) => name === victim.name && instance === (victim.instance ?? 0))?.pid;
  if (pid === undefined || pid === null) throw new Error(`The stack has no ${victim.name} at the moment`);
  return pid;
}
