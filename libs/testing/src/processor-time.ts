/**
 * Processor time that this process has used, in milliseconds. It shows the cost of work even on a busy machine, where
 * the clock also counts other processes.
 */
export function processorTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
