import { describe, expect, it } from '@jest/globals';
import { superLinearGrowth } from '@clew/testing/hostile';
import { attacksOn } from './attacks.ts';
import { patternsBuiltBy, patternsIn, productFiles, type ProductPattern } from './product-patterns.ts';

/** Length at which a pattern that grows with the square takes milliseconds, and a linear one some microseconds. */
const GROWTH = { length: 6_000, floorMs: 0.5 };

describe('the patterns of the product', () => {
  const files = productFiles().map((path) => ({ path, found: patternsIn(path) }));
  it('take time that is linear in the length of a text, whatever it holds', async () => {
    const building = files.filter(({ found }) => found.built.length > 0).map(({ path }) => path);
    const built = await patternsBuiltBy(building, (path) => import(path));
    const all = [...files.flatMap(({ found }) => found.literals), ...built];
    const unique = [...new Map(all.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern])).values()];
    console.log(
      all.length,
      built.length,
      unique.length,
      files.flatMap(({ found }) => found.built).filter((p) => !built.some((b) => b.place === p)),
    );
    const t0 = performance.now();
    const slow = unique.flatMap(slownessOf);
    console.log(performance.now() - t0, slow.join('\n'));
    expect(slow).toEqual([]);
  }, 1e9);
});

function slownessOf({ place, source, flags }: ProductPattern): string[] {
  const everywhere = new RegExp(source, `${flags.replace(/[gy]/g, '')}g`);
  const work = (text: string) => text.replace(everywhere, '');
  for (const text of attacksOn(source, flags)) {
    const growth = superLinearGrowth(work, text, GROWTH);
    if (growth !== undefined) return [`${place} /${source}/${flags} on ${text.name}: ${growth}`];
  }
  return [];
}
