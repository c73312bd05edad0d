import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second, whatever its timer. */
const TICK_MS = 10;
const UTIME_FIELD = 13;

/**
 * The processor time that a process has used, in milliseconds: other than the throughput, it hardly depends on what
 * else the machine does. Undefined where there is no `/proc`.
 */
export function processorMs(pid: number): number | undefined {
  try {
    // The second field is the command's name in brackets, and may hold spaces.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[UTIME_FIELD - 2]) + Number(fields[UTIME_FIELD - 1])) * TICK_MS;
  } catch {
    return undefined;
  }
}
