import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../apps/model-runtime-agent/src/test-support');

/** Program of the agent's app that runs what it runs, over scripted engines and sources, in a process of its own. */
export function programOf(part: 'agent' | 'supervisor'): string {
  return join(FOLDER, `${part}-process.ts`);
}
