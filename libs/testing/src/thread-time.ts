const ROUNDS = 3;
/** What another thread does costs this one no more than one part of so many; done here, it costs the whole. */
export const MIN_SHARE = 3;

/** Processor milliseconds of this thread alone: what others do meanwhile does not count. */
export async function threadTimeOf(work: () => unknown): Promise<number> {
  const beforeMs = threadTimeMs();
  await work();
  return threadTimeMs() - beforeMs;
}

/** The same, as the least of some times: this thread also collects the garbage of what was done before. */
export async function leastThreadTimeOf(work: () => unknown): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) leastMs = Math.min(leastMs, await threadTimeOf(work));
  return leastMs;
}

function threadTimeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
