import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { endProcess, identifyProcess, isAlive } from './process-identity.ts';

async function startSleeper(script = 'setInterval(() => {}, 1000)') {
  const child = spawn(process.execPath, ['-e', `${script}; console.log('up')`], { detached: true });
  await once(child.stdout, 'data');
  const identity = identifyProcess(child.pid ?? 0);
  if (identity === undefined) throw new Error('the child is gone already');
  return { child, identity };
}

describe('the identity of a process', () => {
  it('stays the same while the process lives', () => {
    const identity = identifyProcess(process.pid);
    expect(identity).toEqual(identifyProcess(process.pid));
    expect(identity !== undefined && isAlive(identity)).toBe(true);
  });

  it('is not that of another process which has the same number', () => {
    expect(isAlive({ pid: process.pid, startedAt: 'long ago' })).toBe(false);
  });

  it('is none for a process that has ended', async () => {
    const { child, identity } = await startSleeper();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isAlive(identity)).toBe(false);
  });
});

describe('ending a process', () => {
  it('leaves a process alone that merely has the same number', async () => {
    const { child, identity } = await startSleeper();
    await endProcess({ pid: identity.pid, startedAt: 'long ago' }, 1_000);
    expect(isAlive(identity)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  it('ends by force what does not end when asked', async () => {
    const { child, identity } = await startSleeper("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)");
    const exited = once(child, 'exit');
    await endProcess(identity, 100);
    expect(await exited).toEqual([null, 'SIGKILL']);
  });
});
