import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createActivity } from './activity.ts';
import { createGiveWay } from './give-way.ts';

const PAUSE_MS = 250;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Piece of work that lasts until the test ends it. */
function heldWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let begun = false;
  return {
    isBegun: () => begun,
    end: resolve,
    work: async () => {
      begun = true;
      await promise;
    },
  };
}

describe('work that gives way', () => {
  it('begins at once while there is no urgent work', async () => {
    const giveWay = createGiveWay({ isBusy: () => false });
    const pieces = [heldWork(), heldWork()];
    const done = pieces.map(({ work }) => giveWay(work));
    expect(pieces.map(({ isBegun }) => isBegun())).toEqual([true, true]);
    pieces.forEach(({ end }) => end());
    await Promise.all(done);
  });

  it('is done one at a time beside urgent work, with a pause as long as each took', async () => {
    const giveWay = createGiveWay({ isBusy: () => true, maxPauseMs: PAUSE_MS });
    const pieces = [heldWork(), heldWork()];
    const done = pieces.map(({ work }) => giveWay(work));
    await jest.advanceTimersByTimeAsync(100);
    expect(pieces.map(({ isBegun }) => isBegun())).toEqual([true, false]);
    pieces[0]!.end();
    await done[0];
    await jest.advanceTimersByTimeAsync(99);
    expect(pieces[1]!.isBegun()).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(pieces[1]!.isBegun()).toBe(true);
    pieces[1]!.end();
    await done[1];
  });

  it('does not wait longer than the maximum, nor because a piece failed', async () => {
    const giveWay = createGiveWay({ isBusy: () => true, maxPauseMs: PAUSE_MS });
    const failing = giveWay(async () => {
      jest.advanceTimersByTime(10 * PAUSE_MS);
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow('failed');
    const next = heldWork();
    const done = giveWay(next.work);
    await jest.advanceTimersByTimeAsync(PAUSE_MS);
    expect(next.isBegun()).toBe(true);
    next.end();
    await done;
  });
});

it('an activity is busy from the beginning of its work to the end, also of work that fails', async () => {
  const activity = createActivity();
  const { work, end } = heldWork();
  const done = activity.during(work);
  expect(activity.isBusy()).toBe(true);
  end();
  await done;
  expect(activity.isBusy()).toBe(false);
  await expect(activity.during(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(activity.isBusy()).toBe(false);
});
