import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Full path of a program, or undefined if it is not on PATH. */
export function findExecutable(name: string, path = process.env['PATH'] ?? ''): string | undefined {
  for (const folder of path.split(delimiter).filter((entry) => entry !== '')) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      continue;
    }
  }
  return undefined;
}
