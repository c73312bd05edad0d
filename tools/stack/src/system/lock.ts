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

/** The living process that holds the lock, if any. */
export function lockHolder(file: string): LockRecord | undefined {
  const record = readJson(file, LockRecord);
  return record !== undefined && isAlive(record) ? record : undefined;
}

/**
 * Takes a lock between processes, or returns undefined when a living process holds it. The lock of a dead process is
 * taken over. The record is complete before it becomes visible: it is written aside and linked into place.
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

/** Links without replacing; false when there is a file of that name. */
function link(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

// Renamed away rather than removed: of several that find it stale, one alone succeeds.
function removeStale(file: string, temporary: string): boolean {
  const stale = `${temporary}.stale`;
  try {
    fs.renameSync(file, stale);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
  // Another process may have taken the stale lock over since it was read; then it gets its own back.
  const isStale = lockHolder(stale) === undefined;
  if (!isStale) link(stale, file);
  fs.rmSync(stale, { force: true });
  return isStale;
}

function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** Waits for the lock; `onWait` is called once when somebody else has it. */
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
