import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';

/** Program that a variable names, or else that of a Go module (`<module>@<version>`), built into the folder. */
export function goProgram(module: string, named: string | undefined, folder: string): string {
  if (named !== undefined) return named;
  execFileSync('go', ['install', module], { env: { ...process.env, GOBIN: folder }, stdio: 'ignore' });
  // A program whose path ends with a major version is named after the segment before it.
  return join(folder, basename(module.slice(0, module.indexOf('@')).replace(/\/v\d+$/, '')));
}

/** Folder with the files of a Go module. */
export function goModule(module: string): string {
  const printed = execFileSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8' });
  return (JSON.parse(printed) as { Dir: string }).Dir;
}
