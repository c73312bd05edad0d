import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { useTemporaryDirectory } from '../test-support/temporary-directory.ts';
import { writeJson } from './files.ts';
import { lockHolder, tryLock, waitForLock } from './lock.ts';

const directory = useTemporaryDirectory();
const never = new AbortController().signal;

describe('the lock between processes', () => {
  it('is held by one at a time, and names its holder', () => {
    const file = path.join(directory(), 'one.lock');
    const lock = tryLock(file, { socket: '/some/socket' });
    expect(lock).toBeDefined();
    expect(tryLock(file)).toBeUndefined();
    expect(lockHolder(file)).toMatchObject({ pid: process.pid, socket: '/some/socket' });
    lock?.release();
    expect(lockHolder(file)).toBeUndefined();
  });

  it('is taken over from a process that died, also when its number is in use again', () => {
    const file = path.join(directory(), 'stale.lock');
    writeJson(file, { pid: process.pid, startedAt: 'before the last boot' });
    expect(tryLock(file)).toBeDefined();
    expect(lockHolder(file)?.pid).toBe(process.pid);
  });

  it('is taken over when its record is torn', () => {
    const file = path.join(directory(), 'torn.lock');
    fs.writeFileSync(file, '{"pid":');
    expect(tryLock(file)).toBeDefined();
  });

  it('is handed to the one that waits', async () => {
    const file = path.join(directory(), 'waiting.lock');
    const first = tryLock(file);
    const second = waitForLock(file, never, () => first?.release());
    expect(await second).toBeDefined();
  });

  it('leaves nothing else behind in the directory', () => {
    expect(fs.readdirSync(directory()).filter((entry) => !entry.endsWith('.lock'))).toEqual([]);
  });
});
