import { readdirSync, readFileSync } from 'node:fs';

/** Variable that marks every process of an engine, so that it is recognized whatever its number. */
export const NONCE_VARIABLE = 'CLEW_ENGINE_NONCE';

const START_TIME_FIELD = 22;
const USER_TIME_FIELD = 14;
const SYSTEM_TIME_FIELD = 15;

/**
 * Id that changes with each boot of the machine; process numbers and start times are only meaningful within one boot.
 */
export function bootId(): string {
  return read('/proc/sys/kernel/random/boot_id')?.trim() ?? 'unknown';
}

/** Start time of a process, in ticks since boot; undefined if there is no such process. */
export function startTimeOf(pid: number): string | undefined {
  return statOf(pid)?.(START_TIME_FIELD);
}

/** Processor time used by a process, in ticks. */
export function processorTicksOf(pid: number): number | undefined {
  const stat = statOf(pid);
  return stat === undefined ? undefined : Number(stat(USER_TIME_FIELD)) + Number(stat(SYSTEM_TIME_FIELD));
}

/** Variable of a process's initial environment. */
export function variableOf(pid: number, name: string): string | undefined {
  const entry = read(`/proc/${pid}/environ`)
    ?.split('\0')
    .find((candidate) => candidate.startsWith(`${name}=`));
  return entry?.slice(name.length + 1);
}

/** Numbers of the processes that run now. */
export function runningPids(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

/** Fields of /proc/<pid>/stat, counted from 1 as in its manual. The second, a name, may contain anything. */
function statOf(pid: number): ((field: number) => string | undefined) | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const rest = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Dead process that its parent has not waited for yet.
  if (rest[0] === 'Z' || rest[0] === 'X') return undefined;
  return (field) => rest[field - 3];
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
