import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { z } from 'zod';
import { delay } from './waiting.ts';

/**
 * Identity of a process: its number and its start time, which distinguish it from a later process with the same number.
 */
export const ProcessIdentity = z.object({ pid: z.number().int().positive(), startedAt: z.string() });
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** Identity of a living process; undefined if there is none (a zombie counts as none). */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? startedAtFromProc(pid) : startedAtFromPs(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** Whether this very process is still alive. */
export function isAlive(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startedAt === identity.startedAt;
}

function startedAtFromProc(pid: number): string | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name, in parentheses, may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X' || startTicks === undefined) return undefined;
    return `${startTicks}@${bootId()}`;
  } catch {
    return undefined;
  }
}

let cachedBootId: string | undefined;

// Start times count from the boot, so they can repeat after a reboot.
function bootId(): string {
  cachedBootId ??= fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return cachedBootId;
}

function startedAtFromPs(pid: number): string | undefined {
  const result = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const line = result.status === 0 ? result.stdout.trim() : '';
  return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
}

/** Sends a signal; false if the process no longer exists. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Sends a signal to every process of the group that this process leads. */
export function sendSignalToGroup(leaderPid: number, signal: NodeJS.Signals): boolean {
  return sendSignal(-leaderPid, signal);
}

/** Waits until the process has ended; false if it is still alive after the timeout. */
export async function waitForEnd(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadlineMs = Date.now() + timeoutMs;
  while (isAlive(identity)) {
    if (Date.now() > deadlineMs) return false;
    await delay(50);
  }
  return true;
}

/**
 * Ends a process, even one that is not a child: with SIGTERM, and after the grace period, with its group, with SIGKILL.
 */
export async function endProcess(identity: ProcessIdentity, graceMs: number): Promise<void> {
  if (!isAlive(identity)) return;
  sendSignal(identity.pid, 'SIGTERM');
  if (await waitForEnd(identity, graceMs)) return;
  if (!sendSignalToGroup(identity.pid, 'SIGKILL')) sendSignal(identity.pid, 'SIGKILL');
  await waitForEnd(identity, 5_000);
}
