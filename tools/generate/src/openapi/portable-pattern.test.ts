import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { portablePattern } from './portable-pattern.ts';

/** Texts whose characters are about equally likely to be inside and outside of the classes. */
const text = fc.string({
  unit: fc.constantFrom(...'aZ09_-/. \t\n\r\u0000\u001f\u007f\u0085\u00a0\u2003\u2028\ufeff', 'é', '٣', '😀'),
  maxLength: 6,
});

describe('a portable pattern', () => {
  it.each([
    /^\d{2,}$/u,
    /^[\d-]+$/u,
    /^\w+$/u,
    /^[^\s/]*$/u,
    /^\S+$/u,
    /^[a-z]\/[^\s\p{Cc}]+$/u,
    /^\p{Cc}$/u,
    /^[^\u0020-\u007e\u2003]$/u,
    /^\u002d$/u,
  ])('means what %s means', (pattern) => {
    const portable = new RegExp(portablePattern(pattern.source), 'u');
    fc.assert(fc.property(text, (sample) => portable.test(sample) === pattern.test(sample)));
    expect(portable.source).not.toMatch(/\\[dDwWsSpP]/);
  });

  it.each([/^(?!a)/, /a(?<=a)/, /(?<name>a)/, /\bword/, /\p{L}/u, /(a)\1/, /[[a]/])('refuses %s', (pattern) => {
    expect(() => portablePattern(pattern.source)).toThrow('Not every tool reads');
  });

  it('leaves alone what every engine reads alike', () => {
    const source = '^(?:prj)_[0-9A-HJKMNP-TV-Z]{26}$';
    expect(portablePattern(source)).toBe(source);
  });
});
