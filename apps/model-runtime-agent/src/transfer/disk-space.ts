import { statfs } from 'node:fs/promises';
import { AppError } from '@clew/kernel';

/** Returns the free bytes of the file system of a folder. */
export type FreeBytes = (directory: string) => Promise<number>;

/** Space kept free for logs and journals of other processes on the volume. */
export const DISK_RESERVE_BYTES = 64 * 1024 * 1024;

export const freeBytesOf: FreeBytes = async (directory) => {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
};

/** Throws INSUFFICIENT_DISK before the first byte is fetched, not at the last one. */
export async function requireDiskSpace(directory: string, neededBytes: number, freeBytes: FreeBytes): Promise<void> {
  const free = await freeBytes(directory);
  if (free < neededBytes + DISK_RESERVE_BYTES) throw insufficientDisk(neededBytes, free);
}

export function insufficientDisk(neededBytes: number, free: number, cause?: unknown): AppError {
  const needed = `${mebibytes(neededBytes + DISK_RESERVE_BYTES)} MiB are needed`;
  return new AppError('INSUFFICIENT_DISK', `${needed} on the models volume and ${mebibytes(free)} MiB are free`, {
    cause,
  });
}

export function isDiskFull(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024);
}
