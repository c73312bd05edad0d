import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { programOf } from './programs.ts';

/** Ways in which the engines of a test run: as children of the agent, or under a supervisor as in a pod. */
export const ENGINE_HOSTS = ['children of the agent', 'in a container of their own'] as const;
export type EngineHostKind = (typeof ENGINE_HOSTS)[number];

/** Users of the containers of a pod, as in the manifests; they share a group. */
export const AGENT_USER = { uid: 10_001, gid: 10_001 } as const;
export const ENGINE_USER = { uid: 10_002, gid: 10_001 } as const;

export const isRoot = process.getuid?.() === 0;

/** The socket on which the supervisor of a node listens. */
export const socketOf = (home: string) => join(home, 'run', 'engines.sock');

/** User of the agent, who is an ordinary one in a pod. */
export function agentUser(kind: EngineHostKind): { uid?: number; gid?: number } {
  return isRoot && kind === 'in a container of their own' ? AGENT_USER : {};
}

/** Supervisor of engines in its own process. */
export interface SupervisorChild {
  /** Sends SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
}

/** Gives the users of a pod access to the folder of the models. */
export async function openToPod(kind: EngineHostKind, home: string): Promise<void> {
  await chmod(home, 0o755);
  const run = join(home, 'run');
  await mkdir(run);
  await chmod(run, 0o2770);
  if (!isRoot || kind === 'children of the agent') return;
  await chown(home, AGENT_USER.uid, AGENT_USER.gid);
  await chown(run, AGENT_USER.uid, AGENT_USER.gid);
}

/** Starts the supervisor as the user of its container, with an environment that contains nothing of this process. */
export async function startSupervisor(home: string): Promise<SupervisorChild> {
  const child = spawn(process.execPath, ['--conditions=clew-source', programOf('supervisor'), socketOf(home), home], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(isRoot ? ENGINE_USER : {}),
  });
  await once(createInterface({ input: child.stdout }), 'line');
  return {
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
