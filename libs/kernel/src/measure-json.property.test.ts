import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { measureJson } from './measure-json.ts';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return 1 + Object.values(value).reduce((sum: number, each) => sum + countOf(each), 0);
}

it('the depth of a text is exact, and its values are not more than it says', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
      const { depth, valueCount } = measureJson(JSON.stringify(value, null, indent));
      expect(depth).toBe(depthOf(value));
      expect(valueCount).toBeGreaterThanOrEqual(countOf(value));
      expect(valueCount).toBeLessThanOrEqual(2 * countOf(value));
    }),
  );
});

it.each([
  ['"[[[', 0],
  ['"\\"[[["', 0],
  ['"\\\\"[[', 2],
  [']]][', 0],
])('%s, which is not JSON, nests %i deep', (text, depth) => {
  expect(measureJson(text).depth).toBe(depth);
});
