import { describe, expect, it } from '@jest/globals';
import { createKeyedMutex } from './keyed-mutex.ts';

const never = new AbortController().signal;

describe('a keyed mutex', () => {
  it('lets one at a time work on a key, in the order that they came, and all keys at once', async () => {
    const mutex = createKeyedMutex();
    const events: string[] = [];
    const gates = new Map(['a', 'b', 'other'].map((name) => [name, Promise.withResolvers<void>()]));
    const work = (name: string) => async () => {
      events.push(`${name} begins`);
      await gates.get(name)?.promise;
      events.push(`${name} ends`);
    };
    const all = [
      mutex.run('k', never, work('a')),
      mutex.run('k', never, work('b')),
      mutex.run('x', never, work('other')),
    ];
    gates.get('b')?.resolve();
    gates.get('other')?.resolve();
    await all[2];
    gates.get('a')?.resolve();
    await Promise.all(all);
    expect(events).toEqual(['a begins', 'other begins', 'other ends', 'a ends', 'b begins', 'b ends']);
    expect(mutex.isBusy()).toBe(false);
  });

  it('lets a caller give up waiting without letting the next one in too early', async () => {
    const mutex = createKeyedMutex();
    const gate = Promise.withResolvers<void>();
    const cancelled = new AbortController();
    let isWorking = false;
    const first = mutex.run('k', never, async () => {
      isWorking = true;
      await gate.promise;
      isWorking = false;
    });
    const second = mutex.run('k', cancelled.signal, async () => 'never');
    const third = mutex.run('k', never, async () => isWorking);
    cancelled.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    gate.resolve();
    await first;
    expect(await third).toBe(false);
  });

  it('goes on after work that failed', async () => {
    const mutex = createKeyedMutex();
    await expect(mutex.run('k', never, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await mutex.run('k', never, async () => 1)).toBe(1);
  });
});
