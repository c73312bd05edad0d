import { readFileSync } from 'node:fs';

/** Unit of processor time on Linux: hundredths of a second, whatever its timer. */
const TICK_MS = 10;
const UTIME_FIELD = 13;

/**
 * Processor time that a process has used, in milliseconds. Unlike throughput, it hardly depends on other work of the
 * machine. Undefined without `/proc`.
 */
export function processorMs(pid: number): number | undefined {
  try {
    // The second field is the command name in parentheses, which may contain spaces.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[UTIME_FIELD - 2]) + Number(fields[UTIME_FIELD - 1])) * TICK_MS;
  } catch {
    return undefined;
  }
}
