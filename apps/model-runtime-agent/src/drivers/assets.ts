import { join } from 'node:path';

/** Folder of programs and package lists that are not TypeScript; it is beside `src`, so that `dist` finds it too. */
const FOLDER = join(import.meta.dirname, '../../engines');

export function engineAsset(name: string): string {
  return join(FOLDER, name);
}
