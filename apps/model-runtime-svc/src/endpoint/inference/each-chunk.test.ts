import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eachChunk } from './each-chunk.ts';

const streamOf = (texts: readonly string[]) => Readable.from(texts.map((text) => Buffer.from(text)));

const failing = (): never => {
  throw new Error('No more');
};

describe('the chunks of a stream', () => {
  it('are taken in their order, one at a time, whether at once or later', async () => {
    const chunks = fc.array(fc.record({ text: fc.string({ minLength: 1 }), isLater: fc.boolean() }));
    await fc.assert(
      fc.asyncProperty(chunks, async (given) => {
        const taken: string[] = [];
        let isBusy = false;
        await eachChunk(streamOf(given.map(({ text }) => text)), (chunk) => {
          expect(isBusy).toBe(false);
          const isLater = given[taken.length]?.isLater === true;
          taken.push(chunk.toString());
          if (!isLater) return undefined;
          isBusy = true;
          return nextTurn().then(() => {
            isBusy = false;
          });
        });
        expect(taken).toEqual(given.map(({ text }) => text));
      }),
    );
  });

  it.each([
    ['kept', async () => undefined],
    ['broken', async () => failing()],
  ])('have all been taken at the end: the promise for the last one is waited for, and it is %s', async (how, keep) => {
    const stream = new Readable({ read: () => undefined });
    stream.push('a');
    stream.push(null);
    let isTaken = false;
    const taking = eachChunk(stream, async () => {
      await nextTurn();
      await nextTurn();
      isTaken = true;
      await keep();
    });
    const outcome = await taking.then(
      () => 'kept',
      () => 'broken',
    );
    expect([isTaken, outcome]).toEqual([true, how]);
  });

  it.each([
    ['throws', failing],
    ['rejects', async () => failing()],
  ])('end where what takes one %s, and the stream is destroyed', async (_how, take) => {
    const stream = streamOf(['a', 'b']);
    let count = 0;
    const taking = eachChunk(stream, () => {
      count += 1;
      return take();
    });
    await expect(taking).rejects.toThrow('No more');
    expect([count, stream.destroyed]).toEqual([1, true]);
  });

  it('fail with the stream', async () => {
    const stream = new Readable({ read: () => undefined });
    const taking = eachChunk(stream, () => undefined);
    stream.destroy(new Error('Cut off'));
    await expect(taking).rejects.toThrow('Cut off');
  });

  it('fail where the stream is closed before its end', async () => {
    const stream = new Readable({ read: () => undefined });
    const taking = eachChunk(stream, () => undefined);
    stream.push('a');
    stream.destroy();
    await expect(taking).rejects.toThrow('closed before its end');
  });
});
