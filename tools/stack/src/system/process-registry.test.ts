import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { useTemporaryDirectory } from '../test-support/temporary-directory.ts';
import { readJson, writeJson } from './files.ts';
import { createProcessRegistry, endRecordedProcesses, livingRecordedProcesses } from './process-registry.ts';
import { z } from 'zod';

const directory = useTemporaryDirectory();

async function startSleeper() {
  const child = spawn(process.execPath, ['-e', "setInterval(() => {}, 1000); console.log('up')"], { detached: true });
  await once(child.stdout, 'data');
  return child;
}

describe('the process registry', () => {
  it('ends what an earlier run recorded and left running, and nothing else', async () => {
    const file = path.join(directory(), 'orphans.json');
    const [orphan, stranger] = await Promise.all([startSleeper(), startSleeper()]);
    createProcessRegistry(file).add('orphan', orphan.pid ?? 0);
    const records = readJson(file, z.array(z.unknown())) ?? [];
    // Record of a process that ended long ago and whose number now belongs to another process.
    writeJson(file, [...records, { name: 'reused', pid: stranger.pid, startedAt: 'long ago' }]);

    const ended = once(orphan, 'exit');
    expect(await endRecordedProcesses(file, 5_000)).toEqual(['orphan']);
    await ended;
    expect(stranger.exitCode).toBeNull();
    stranger.kill('SIGKILL');
    await once(stranger, 'exit');
  });

  it('forgets a process that was removed', async () => {
    const file = path.join(directory(), 'removed.json');
    const registry = createProcessRegistry(file);
    registry.add('self', process.pid);
    expect(livingRecordedProcesses(file).map((record) => record.name)).toEqual(['self']);
    registry.remove(process.pid);
    expect(livingRecordedProcesses(file)).toEqual([]);
  });

  it('keeps the records of two registries that share a file', () => {
    const file = path.join(directory(), 'shared.json');
    createProcessRegistry(file).add('one', process.pid);
    createProcessRegistry(file).add('two', process.ppid);
    expect(livingRecordedProcesses(file).map((record) => record.name)).toEqual(['one', 'two']);
  });
});
