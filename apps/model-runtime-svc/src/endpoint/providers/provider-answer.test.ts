import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { answerJson } from './provider-answer.ts';

const MIB = 1024 * 1024;

async function answered(text: string): Promise<unknown> {
  return await answerJson(Readable.from([Buffer.from(text)]));
}

describe('the answer of a provider', () => {
  it('is its JSON', async () => {
    expect(await answered('{"data":[{"id":"a"}]}')).toEqual({ data: [{ id: 'a' }] });
  });

  it('that never ends is not held, and its connection is given up', async () => {
    let sentBytes = 0;
    const endless = new Readable({
      read() {
        sentBytes += MIB;
        this.push(Buffer.alloc(MIB, ' '));
      },
    });
    await expect(answerJson(endless)).rejects.toThrow(RangeError);
    expect(endless.destroyed).toBe(true);
    expect(sentBytes).toBeLessThan(20 * MIB);
  });

  it.each([
    ['members', `[${'{"a":0},'.repeat(200_000)}{"a":0}]`],
    ['values', `[${'0,'.repeat(1_000_000)}0]`],
    ['levels', '['.repeat(1_000_000)],
  ])('that holds too many %s is refused', async (_, text) => {
    await expect(answered(text)).rejects.toThrow(RangeError);
  });

  it.each(['', '{', '<html>'])('that is no JSON is refused: %j', async (text) => {
    await expect(answered(text)).rejects.toThrow(SyntaxError);
  });
});
