import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
/** Memory that has to be available, and room that the folder has to have; a whole run needs a part of it. */
const NEEDED_BYTES = 8 * 1024 ** 3;

/**
 * Returns the folder for the data of test servers: one in memory where there is plenty, and otherwise the usual one for
 * temporary files. Databases and brokers wait for their disk at each commit, and no test needs data that survives the
 * machine: a process that is killed leaves its files in memory as they are on a disk.
 */
export function scratchFolder(): string {
  if (process.env['TMPDIR'] !== undefined) return tmpdir();
  const mounts = readText('/proc/mounts');
  return isRunnableMemory(mounts) && hasRoom() ? IN_MEMORY : tmpdir();
}

/** Tells whether the folder in memory is mounted, and programs in it may run: tests install some. */
export function isRunnableMemory(mounts: string): boolean {
  const [, , type, options = ''] = (mounts.split('\n').find((line) => line.split(' ')[1] === IN_MEMORY) ?? '').split(
    ' ',
  );
  return type === 'tmpfs' && options.split(',').includes('rw') && !options.split(',').includes('noexec');
}

function hasRoom(): boolean {
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return Math.min(bavail * bsize, process.availableMemory()) >= NEEDED_BYTES;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
