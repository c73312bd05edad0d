/** Runs the work and prints its duration. */
export async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const startMs = performance.now();
  await work();
  process.stdout.write(`${what}: ${((performance.now() - startMs) / 1_000).toFixed(1)} s\n`);
}
