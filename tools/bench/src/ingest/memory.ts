import { readFileSync } from 'node:fs';

/** Peak resident memory of a process so far, in MiB (`VmHWM` of Linux; 0 elsewhere). */
export function peakMemoryMib(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}
