import { describe, expect, it } from '@jest/globals';
import type { UnavailableReason } from '@clew/contracts';
import { fixedClock, silentLogger } from '@clew/testing';
import { createModelAvailabilities } from './model-availability.ts';

/** Reasons why models are not available; null for an available one. */
type Reasons = Readonly<Record<string, UnavailableReason | null>>;

const YES = { available: true, reason: null };
const NO = { available: false, reason: expect.stringContaining('no such provider') };

/** Creates the cache on a model runtime whose answers the test gives. */
function setUp({ waitMs = 60_000 } = {}) {
  const clock = fixedClock(1_780_000_000_000);
  const asked: { projectId: string; models: readonly string[]; answer(reasons: Reasons): void; fail(): void }[] = [];
  const availabilities = createModelAvailabilities({
    ask: async (projectId, models) => {
      const { promise, resolve, reject } = Promise.withResolvers<Reasons>();
      asked.push({ projectId, models, answer: resolve, fail: () => reject(new Error('away')) });
      const reasons = await promise;
      return Object.entries(reasons).map(([model, reason]) => ({ model, available: reason === null, reason }));
    },
    ...{ clock, waitMs, logger: silentLogger() },
  });
  const of = async (projectId: string, ...models: string[]) =>
    Object.fromEntries(await availabilities.of(projectId, models));
  return { clock, asked, availabilities, of };
}

describe('the availability of models', () => {
  it('is asked for once for all models of a page, however many they are, and kept for a while', async () => {
    const { of, asked, clock } = setUp();
    const names = Array.from({ length: 1_000 }, (_, index) => `a/${index}`);
    const page = of('prj_a', ...names, ...names);
    const again = of('prj_a', 'a/0');
    expect(asked.map(({ models }) => models)).toEqual([names]);
    asked[0]!.answer(Object.fromEntries(names.map((name, index) => [name, index === 7 ? 'provider_not_found' : null])));
    expect(await page).toEqual(Object.fromEntries(names.map((name, index) => [name, index === 7 ? NO : YES])));
    expect(await again).toEqual({ 'a/0': YES });
    clock.advance(4_000);
    expect(await of('prj_a', 'a/7')).toEqual({ 'a/7': NO });
    expect(asked).toHaveLength(1);
    clock.advance(2_000);
    void of('prj_a', 'a/0');
    expect(asked[1]).toMatchObject({ models: ['a/0'] });
  });

  it('is asked for in several parts where a page has more models than one may name', async () => {
    const { of, asked } = setUp();
    void of('prj_a', ...Array.from({ length: 1_001 }, (_, index) => `a/${index}`));
    expect(asked.map(({ models }) => models.length)).toEqual([1_000, 1]);
  });

  it('is that of one project', async () => {
    const { of, asked } = setUp();
    const both = [of('prj_a', 'a/x'), of('prj_b', 'a/x')];
    expect(asked.map(({ projectId }) => projectId)).toEqual(['prj_a', 'prj_b']);
    asked[0]!.answer({ 'a/x': null });
    asked[1]!.answer({ 'a/x': 'provider_not_found' });
    expect(await Promise.all(both)).toEqual([{ 'a/x': YES }, { 'a/x': NO }]);
  });

  it('is asked for anew after a change, and service/auto with it', async () => {
    const { availabilities, of, asked } = setUp();
    const first = of('prj_a', 'a/x', 'service/auto', 'a/y');
    asked[0]!.answer({ 'a/x': 'no_chat', 'service/auto': 'no_suitable_model', 'a/y': 'no_chat' });
    await first;
    availabilities.changed('prj_a', 'a/x');
    void of('prj_a', 'a/x', 'service/auto', 'a/y');
    expect(asked[1]).toMatchObject({ models: ['a/x', 'service/auto'] });
    availabilities.forgetAll();
    void of('prj_a', 'a/y');
    expect(asked[2]).toMatchObject({ models: ['a/y'] });
  });

  it('is not kept where the change came before the answer', async () => {
    const { availabilities, of, asked } = setUp();
    const early = of('prj_a', 'a/x');
    availabilities.changed('prj_a', 'a/x');
    asked[0]!.answer({ 'a/x': 'provider_not_found' });
    await early;
    const late = of('prj_a', 'a/x');
    asked[1]!.answer({ 'a/x': null });
    expect(await late).toEqual({ 'a/x': YES });
  });
});

describe('a model of which nothing is known yet', () => {
  it('is left out while it is being looked at, and asked for again soon', async () => {
    const { of, asked, clock } = setUp();
    const first = of('prj_a', 'a/x', 'a/slow');
    asked[0]!.answer({ 'a/x': null });
    expect(await first).toEqual({ 'a/x': YES });
    expect(await of('prj_a', 'a/slow')).toEqual({});
    expect(asked).toHaveLength(1);
    clock.advance(1_100);
    const next = of('prj_a', 'a/x', 'a/slow');
    expect(asked[1]).toMatchObject({ models: ['a/slow'] });
    asked[1]!.answer({ 'a/slow': 'provider_not_found' });
    expect(await next).toEqual({ 'a/x': YES, 'a/slow': NO });
  });

  it('is not waited for longer than a read may take, and known to the next read', async () => {
    const { of, asked } = setUp({ waitMs: 1 });
    expect(await of('prj_a', 'a/x')).toEqual({});
    asked[0]!.answer({ 'a/x': null });
    await new Promise(setImmediate);
    expect(await of('prj_a', 'a/x')).toEqual({ 'a/x': YES });
    expect(asked).toHaveLength(1);
  });

  it('is not available, and says why, while nobody can be asked', async () => {
    const { of, asked, clock } = setUp();
    const first = of('prj_a', 'a/x');
    asked[0]!.fail();
    const away = { available: false, reason: expect.stringContaining('model runtime cannot be asked') };
    expect(await first).toEqual({ 'a/x': away });
    expect(await of('prj_a', 'a/x')).toEqual({ 'a/x': away });
    expect(asked).toHaveLength(1);
    clock.advance(1_100);
    const again = of('prj_a', 'a/x');
    asked[1]!.answer({ 'a/x': null });
    expect(await again).toEqual({ 'a/x': YES });
  });
});

describe('what was known of a model', () => {
  it.each([
    ['nobody can be asked', (asked: { fail(): void }) => asked.fail()],
    ['it is looked at again', (asked: { answer(reasons: Reasons): void }) => asked.answer({})],
  ])('holds for some minutes while %s', async (_, miss) => {
    const { of, asked, clock } = setUp();
    const first = of('prj_a', 'a/x');
    asked[0]!.answer({ 'a/x': 'provider_not_found' });
    await first;
    clock.advance(4 * 60_000);
    const later = of('prj_a', 'a/x');
    miss(asked[1]!);
    expect(await later).toEqual({ 'a/x': NO });
    clock.advance(2 * 60_000);
    const muchLater = of('prj_a', 'a/x');
    miss(asked[2]!);
    expect(await muchLater).not.toEqual({ 'a/x': NO });
  });
});
