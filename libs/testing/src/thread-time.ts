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

/** Measures the minimum of several runs, because this thread also collects the garbage of earlier work. */
export async function leastThreadTimeOf(work: () => unknown): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) leastMs = Math.min(leastMs, await threadTimeOf(work));
  return leastMs;
}

function threadTimeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
