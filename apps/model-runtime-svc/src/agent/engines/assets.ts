import { join } from 'node:path';

/** The programs and package lists that are no TypeScript; beside `src`, so that they are found from `dist` too. */
const FOLDER = join(import.meta.dirname, '../../../engines');

export function engineAsset(name: string): string {
  return join(FOLDER, name);
}
