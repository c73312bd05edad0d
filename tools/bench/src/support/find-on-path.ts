import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** File of an installed program. */
export function findOnPath(program: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file));
}
