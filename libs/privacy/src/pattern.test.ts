import { describe, expect, it } from '@jest/globals';
import { compilePattern, patternProblem } from './pattern.ts';

describe('a pattern', () => {
  it.each(['^\\{', '(?i)as an ai', '[\\x{1F300}-\\x{1FAFF}]', '(?s)^.{0,1000}$', '\\p{Lu}'])(
    '%s can be used',
    (pattern) => {
      expect(patternProblem(pattern)).toBeUndefined();
    },
  );

  it.each([
    ['(', 'is no pattern in the syntax of RE2'],
    ['(?=a)', 'is no pattern in the syntax of RE2'],
    ['(a)\\1', 'is no pattern in the syntax of RE2'],
    ['a{1001}', 'is no pattern in the syntax of RE2'],
    ['(a{100}){100}', 'is no pattern in the syntax of RE2'],
    ['(?:a|b|ab){1,1000}c', 'repeats too much'],
  ])('%s cannot, and says why', (pattern, reason) => {
    expect(patternProblem(pattern)).toContain(reason);
    expect(() => compilePattern(pattern)).toThrow(RangeError);
  });

  it('gives places in the units of the text, also after characters beyond the first plane', () => {
    expect(compilePattern('b+').find('😀abba')).toEqual({ start: 3, end: 5 });
  });

  it.each(['(a*)*b', '(x+x+)+y', '^(([a-z])+.)+[A-Z]([a-z])+$', '(.*)*$'])('%s takes linear time', (pattern) => {
    const startedAt = performance.now();
    compilePattern(pattern).test('x'.repeat(100_000) + 'a'.repeat(100_000));
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});
