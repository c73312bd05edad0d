import { setImmediate as nextTurn } from 'node:timers/promises';

/** Resolves once a condition holds; if it never does, the test's own time limit applies. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await nextTurn();
}
