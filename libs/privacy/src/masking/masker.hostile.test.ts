import { expect, it } from '@jest/globals';
import { DEFAULT_MASKING } from '@clew/contracts';
import { slowTexts, twoPieceTexts } from '@clew/testing/hostile';
import { createMasker } from './masker.ts';

const ON = { ...DEFAULT_MASKING, enabled: true };

it('a text is masked in time that is linear in its length', () => {
  expect(slowTexts((text) => createMasker(ON).text(text), twoPieceTexts())).toEqual([]);
}, 300_000);

it('an object is masked in time that is linear in its members, also where all have the same mask', () => {
  const named = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`member${index}@mail.com`, index]));
  const masked = createMasker(ON).value(named(20_000)) as Record<string, number>;
  expect(Object.keys(masked)).toHaveLength(20_000);
  expect(Object.entries(masked).at(-1)).toEqual(['[masked email] 20000', 19_999]);
  expect(JSON.parse(createMasker(ON).text(JSON.stringify(named(1_000))))).toEqual(createMasker(ON).value(named(1_000)));
});
