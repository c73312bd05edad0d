import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const ROUNDS = 3;
/**
 * Factor that shows in which thread work is done: in another thread it costs this one at most the whole divided by it.
 */
export const MIN_SHARE = 3;

/** Measures the processor milliseconds of this thread alone: concurrent work of others does not count. */
export async function threadTimeOf(work: () => unknown): Promise<number> {
  const beforeMs = threadTimeMs();
  await work();
  return threadTimeMs() - beforeMs;
}

/** Measures the minimum of several runs, each without the garbage of earlier work, which this thread collects too. */
export async function leastThreadTimeOf(work: () => unknown): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    collectGarbage();
    leastMs = Math.min(leastMs, await threadTimeOf(work));
  }
  return leastMs;
}

/** Collects the garbage of this thread; Node shows the function to new contexts alone once it has started. */
const collectGarbage = (() => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
})();

function threadTimeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
