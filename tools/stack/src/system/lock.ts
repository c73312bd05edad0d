import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { readJson, writeJson } from './files.ts';
import { identifyProcess, isAlive, ProcessIdentity } from './process-identity.ts';
import { delay } from './waiting.ts';

const LockRecord = ProcessIdentity.extend({ socket: z.string().optional() });
export type LockRecord = z.infer<typeof LockRecord>;

export interface Lock {
  release(): void;
}

/** Living process that holds the lock, if any. */
export function lockHolder(file: string): LockRecord | undefined {
  const record = readJson(file, LockRecord);
  return record !== undefined && isAlive(record) ? record : undefined;
}

/**
 * Takes a lock between processes, or returns undefined if a living process holds it. The lock of a dead process is
 * taken over. The record is complete before it becomes visible: it is written to another file and then linked.
 */
export function tryLock(file: string, details: { socket?: string } = {}): Lock | undefined {
  const own = identifyProcess(process.pid);
  if (own === undefined) throw new Error('the start time of this process cannot be read');
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  writeJson(temporary, { ...own, ...details });
  try {
    if (!link(temporary, file)) {
      if (lockHolder(file) !== undefined || !removeStale(file, temporary)) return undefined;
      if (!link(temporary, file)) return undefined;
    }
  } finally {
    fs.rmSync(temporary, { force: true });
  }
  return { release: () => fs.rmSync(file, { force: true }) };
}

/** Creates a link without replacing; false if the file exists. */
function link(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

// Renames the file instead of removing it: of several processes that find it stale, only one succeeds.
function removeStale(file: string, temporary: string): boolean {
  const stale = `${temporary}.stale`;
  try {
    fs.renameSync(file, stale);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
  // Another process may have taken over the stale lock since it was read; in that case its lock is restored.
  const isStale = lockHolder(stale) === undefined;
  if (!isStale) link(stale, file);
  fs.rmSync(stale, { force: true });
  return isStale;
}

function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** Waits for the lock; `onWait` is called once if another process holds it. */
export async function waitForLock(file: string, signal: AbortSignal, onWait: () => void): Promise<Lock> {
  let hasWaited = false;
  for (;;) {
    const lock = tryLock(file);
    if (lock !== undefined) return lock;
    if (!hasWaited) onWait();
    hasWaited = true;
    await delay(250, undefined, { signal });
  }
}
