import { readdirSync, readFileSync } from 'node:fs';

/** Marks every process of an engine, so that it is known whatever its number. */
export const NONCE_VARIABLE = 'CLEW_ENGINE_NONCE';

const START_TIME_FIELD = 22;
const USER_TIME_FIELD = 14;
const SYSTEM_TIME_FIELD = 15;

/** Changes with each start of the machine; process numbers and start times only mean something within one. */
export function bootId(): string {
  return read('/proc/sys/kernel/random/boot_id')?.trim() ?? 'unknown';
}

/** When a process started, in ticks since the machine did; undefined where there is no such process. */
export function startTimeOf(pid: number): string | undefined {
  return statOf(pid)?.(START_TIME_FIELD);
}

/** The processor time that a process has used, in ticks. */
export function processorTicksOf(pid: number): number | undefined {
  const stat = statOf(pid);
  return stat === undefined ? undefined : Number(stat(USER_TIME_FIELD)) + Number(stat(SYSTEM_TIME_FIELD));
}

/** A variable that a process was started with. */
export function variableOf(pid: number, name: string): string | undefined {
  const entry = read(`/proc/${pid}/environ`)
    ?.split('\0')
    .find((candidate) => candidate.startsWith(`${name}=`));
  return entry?.slice(name.length + 1);
}

/** The processes that run now. */
export function runningPids(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

/** The fields of /proc/<pid>/stat, counted from 1 as its manual does. The second, a name, may hold anything. */
function statOf(pid: number): ((field: number) => string | undefined) | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const rest = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A dead process that nobody has waited for yet.
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
