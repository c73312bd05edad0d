import { afterEach, describe, expect, it } from '@jest/globals';
import type { Tried } from '../test-support/tried-thread.ts';
import { createThreadPool, ThreadDeadlineError, type ThreadPool, type ThreadPoolOptions } from './thread-pool.ts';

const MODULE = { name: '../test-support/tried-thread', parentUrl: import.meta.url };
const pools: ThreadPool[] = [];

afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
});

function asker(options: Omit<ThreadPoolOptions, 'module'> = {}) {
  const pool = createThreadPool({ module: MODULE, ...options });
  pools.push(pool);
  return (does: Tried['does'], { forMs = 0, projectId = 'prj_1' } = {}) =>
    pool.ask<number>(projectId, { does, forMs } satisfies Tried);
}

describe('a pool of threads', () => {
  it('asks the thread that is idle, and starts another one for a question beside', async () => {
    const ask = asker();
    const first = await ask('tell its thread');
    expect(await ask('tell its thread')).toBe(first);
    const both = await Promise.all([ask('work', { forMs: 50 }), ask('tell its thread')]);
    expect(both[0]).toBe(first);
    expect(both[1]).not.toBe(first);
  });

  it('lets a failure fail its question alone', async () => {
    const ask = asker();
    const first = await ask('tell its thread');
    await expect(ask('fail')).rejects.toThrow('tried-thread: Error');
    expect(await ask('tell its thread')).toBe(first);
  });

  it('replaces a thread that ends', async () => {
    const ask = asker();
    const first = await ask('tell its thread');
    await expect(ask('end the thread')).rejects.toThrow('a thread has ended without a word');
    expect(await ask('tell its thread')).not.toBe(first);
  });

  it('refuses what is late, and counts its thread until it has answered', async () => {
    const ask = asker({ maxThreads: 1, deadlineMs: 3_000 });
    const first = await ask('tell its thread');
    const late = ask('work', { forMs: 3_500 });
    const next = ask('tell its thread');
    await expect(late).rejects.toThrow(ThreadDeadlineError);
    await expect(next).rejects.toThrow(ThreadDeadlineError);
    expect(await ask('tell its thread')).toBe(first);
  });

  it('leaves a thread to other projects, whatever one has it do', async () => {
    const ask = asker({ maxThreads: 2 });
    await Promise.all([ask('tell its thread'), ask('tell its thread', { projectId: 'prj_2' })]);
    const ended: string[] = [];
    const told = (name: string, asked: Promise<number>) => asked.then(() => ended.push(name));
    const many = [1, 2, 3].map(() => told('many', ask('work', { forMs: 20 })));
    await Promise.all([...many, told('one', ask('tell its thread', { projectId: 'prj_2' }))]);
    expect(ended.indexOf('one')).toBeLessThan(2);
  });

  it('ends a thread that has been idle for long', async () => {
    const ask = asker({ idleMs: 1 });
    const first = await ask('tell its thread');
    // Timers of the same length end in their order, so that of the thread has ended before.
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(await ask('tell its thread')).not.toBe(first);
  });
});
