import { describe, expect, it } from '@jest/globals';
import { createBatcher } from './batcher.ts';

function recordingWriter() {
  const writes: { items: string[]; end: () => void; fail: () => void }[] = [];
  const add = createBatcher<string>((items) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    writes.push({ items: [...items], end: resolve, fail: () => reject(new Error('failed')) });
    return promise;
  });
  return { writes, add };
}

/** Resolves when all work that could go on has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a batcher', () => {
  it('writes what comes while a write is under way together, after it', async () => {
    const { writes, add } = recordingWriter();
    const first = add('a');
    await settled();
    const others = [add('b'), add('c')];
    await settled();
    expect(writes.map(({ items }) => items)).toEqual([['a']]);
    writes[0]!.end();
    await first;
    await settled();
    expect(writes.map(({ items }) => items)).toEqual([['a'], ['b', 'c']]);
    writes[1]!.end();
    await Promise.all(others);
  });

  it('tells those whose write failed, and writes the next ones', async () => {
    const { writes, add } = recordingWriter();
    const first = add('a');
    await settled();
    const second = add('b');
    writes[0]!.fail();
    await expect(first).rejects.toThrow('failed');
    await settled();
    writes[1]!.end();
    await expect(second).resolves.toBeUndefined();
  });
});
