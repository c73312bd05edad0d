/**
 * The processor time that this process has used, in milliseconds. What work costs shows in it on a busy machine as well,
 * where the clock counts what others do.
 */
export function processorTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
