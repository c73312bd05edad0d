import { setTimeout as sleep } from 'node:timers/promises';
import type { StackFile } from '@clew/stack';
import { processorMs } from './processor-time.ts';

const WINDOW_MS = 5_000;
/** Cores that all processes use together when nobody asks them for anything: a quarter of one, and some room. */
const RESTING_CORES = 0.35;
const DEADLINE_MS = 600_000;

/**
 * Resolves once the processes of the stack rest, with the seconds that took. Work that what was seeded has caused, such
 * as checks of counters, would else run beside what is measured first.
 */
export async function stackAtRest({ services, servers }: StackFile): Promise<number> {
  const pids = [
    ...Object.values(services).flatMap(({ pid, instances = [] }) => [pid, ...instances.map((each) => each.pid)]),
    ...Object.values(servers).map(({ pid }) => pid),
  ];
  const known = [...new Set(pids)].filter((pid) => pid !== null);
  const usedMs = () => known.reduce((sum, pid) => sum + (processorMs(pid) ?? 0), 0);
  const beganMs = performance.now();
  for (let before = usedMs(), cores = Infinity; cores > RESTING_CORES;) {
    if (performance.now() - beganMs > DEADLINE_MS) throw new Error(`The stack uses ${cores} of a core without end`);
    await sleep(WINDOW_MS);
    const after = usedMs();
    cores = (after - before) / WINDOW_MS;
    before = after;
  }
  return (performance.now() - beganMs) / 1_000;
}
