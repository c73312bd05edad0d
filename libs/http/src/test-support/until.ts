import { setImmediate as nextTurn } from 'node:timers/promises';

/** Resolves once a condition holds; the test's own time limit ends a wait in vain. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await nextTurn();
}
