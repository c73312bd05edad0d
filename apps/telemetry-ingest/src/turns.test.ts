import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createTurns } from './turns.ts';

it('so many have their turn at a time, in the order in which they came, also where one fails', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 3 }), fc.array(fc.boolean()), async (s, max, fails) => {
      const turns = createTurns(max);
      const begun: number[] = [];
      let running = 0;
      const all = fails.map((isFailing, index) =>
        turns
          .run(async () => {
            begun.push(index);
            running += 1;
            expect(running).toBeLessThanOrEqual(max);
            await s.schedule(Promise.resolve(), `work ${index}`);
            running -= 1;
            if (isFailing) throw new Error('failed');
          })
          .then(
            () => false,
            () => true,
          ),
      );
      await s.waitFor(Promise.all(all));
      expect(await Promise.all(all)).toEqual(fails);
      expect(begun).toEqual(fails.map((_, index) => index));
    }),
  );
});
