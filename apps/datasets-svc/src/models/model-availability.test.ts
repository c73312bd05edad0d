import { describe, expect, it } from '@jest/globals';
import type { UnavailableReason } from '@clew/contracts';
import { fixedClock, silentLogger } from '@clew/testing';
import { createModelAvailabilities } from './model-availability.ts';

interface Answer {
  available: boolean;
  reason: UnavailableReason | null;
}

const YES: Answer = { available: true, reason: null };
const NO: Answer = { available: false, reason: 'provider_not_found' };

/** A model runtime whose answers the test gives. */
function setUp({ waitMs = 60_000 } = {}) {
  const clock = fixedClock(1_780_000_000_000);
  const asked: { name: string; answer(given: Answer): void; fail(): void }[] = [];
  const availabilities = createModelAvailabilities({
    ask: (projectId, model) => {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      asked.push({ name: `${projectId} ${model}`, answer: resolve, fail: () => reject(new Error('away')) });
      return promise;
    },
    ...{ clock, waitMs, logger: silentLogger() },
  });
  return { clock, asked, availabilities };
}

async function oneOf(found: Promise<ReadonlyMap<string, { available: boolean; reason: string | null }>>) {
  const [[, availability] = []] = await found;
  return availability;
}

describe('the availability of models', () => {
  it('is asked for once for each model of a page, and kept for a while', async () => {
    const { availabilities, asked, clock } = setUp();
    const page = availabilities.of('prj_a', ['a/x', 'a/y', 'a/x', 'a/x']);
    const again = availabilities.of('prj_a', ['a/x']);
    expect(asked.map(({ name }) => name)).toEqual(['prj_a a/x', 'prj_a a/y']);
    asked[0]!.answer(YES);
    asked[1]!.answer(NO);
    expect(await page).toEqual(
      new Map([
        ['a/x', expect.objectContaining(YES)],
        ['a/y', expect.objectContaining({ available: false, reason: expect.stringContaining('no such provider') })],
      ]),
    );
    expect(await oneOf(again)).toMatchObject(YES);
    clock.advance(4_000);
    expect(await oneOf(availabilities.of('prj_a', ['a/x']))).toMatchObject(YES);
    expect(asked).toHaveLength(2);
    clock.advance(2_000);
    void availabilities.of('prj_a', ['a/x']);
    expect(asked).toHaveLength(3);
  });

  it('is that of one project', async () => {
    const { availabilities, asked } = setUp();
    const both = [availabilities.of('prj_a', ['a/x']), availabilities.of('prj_b', ['a/x'])];
    asked[0]!.answer(YES);
    asked[1]!.answer(NO);
    expect((await Promise.all(both.map(oneOf))).map((each) => each?.available)).toEqual([true, false]);
  });

  it('is asked for anew after a change, and service/auto with it', async () => {
    const { availabilities, asked } = setUp();
    const first = availabilities.of('prj_a', ['a/x', 'service/auto', 'a/y']);
    asked.forEach(({ answer }) => answer(NO));
    await first;
    availabilities.changed('prj_a', 'a/x');
    void availabilities.of('prj_a', ['a/x', 'service/auto', 'a/y']);
    expect(asked.slice(3).map(({ name }) => name)).toEqual(['prj_a a/x', 'prj_a service/auto']);
    availabilities.forgetAll();
    void availabilities.of('prj_a', ['a/y']);
    expect(asked).toHaveLength(6);
  });

  it('is not kept where the change came before the answer', async () => {
    const { availabilities, asked } = setUp();
    const early = availabilities.of('prj_a', ['a/x']);
    availabilities.changed('prj_a', 'a/x');
    asked[0]!.answer(NO);
    await early;
    const late = availabilities.of('prj_a', ['a/x']);
    asked[1]!.answer(YES);
    expect(await oneOf(late)).toMatchObject(YES);
  });

  it('is not known while the model runtime is away, which is asked again soon', async () => {
    const { availabilities, asked, clock } = setUp();
    const first = availabilities.of('prj_a', ['a/x']);
    asked[0]!.fail();
    expect(await oneOf(first)).toMatchObject({
      available: false,
      reason: expect.stringContaining('model runtime cannot be asked'),
    });
    await availabilities.of('prj_a', ['a/x']);
    expect(asked).toHaveLength(1);
    clock.advance(1_100);
    const again = availabilities.of('prj_a', ['a/x']);
    asked[1]!.answer(YES);
    expect(await oneOf(again)).toMatchObject(YES);
  });

  it('is not waited for longer than a read may take, and known to the next read', async () => {
    const { availabilities, asked } = setUp({ waitMs: 1 });
    const late = { available: false, reason: expect.stringContaining('not known yet') };
    expect(await oneOf(availabilities.of('prj_a', ['a/x']))).toMatchObject(late);
    asked[0]!.answer(YES);
    await Promise.resolve();
    expect(await oneOf(availabilities.of('prj_a', ['a/x']))).toMatchObject(YES);
    expect(asked).toHaveLength(1);
  });

  it('is asked for of a bounded number of models at a time; the others say that they are not known yet', async () => {
    const { availabilities, asked } = setUp({ waitMs: 1 });
    const names = Array.from({ length: 1_000 }, (_, index) => `a/${index}`);
    const found = await availabilities.of('prj_a', names);
    expect(found.size).toBe(1_000);
    expect(asked).toHaveLength(20);
    for (let read = 0; read < 20; read += 1) await availabilities.of('prj_a', names);
    expect(asked).toHaveLength(200);
  });
});
