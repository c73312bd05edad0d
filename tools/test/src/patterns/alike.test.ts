import { describe, expect, it } from '@jest/globals';
import { distinctTexts } from './alike.ts';

describe('texts that a pattern cannot tell apart', () => {
  it.each([
    ['characters of one class', /[a-f?]\d/, ['a', 'b', '?', '0', '1', 'x', 'y'], ['a', '?', '0', 'x']],
    ['letters of both cases, where the case does not count', /a/i, ['a', 'A', 'b'], ['a', 'b']],
    ['longer texts of the same characters', /\d-/, ['1-', '2-', '1', '-1', '12'], ['1-', '1', '-1', '12']],
    ['what borders distinguish', /\b/, ['a', 'b', ' ', '\t', '\n', '\r'], ['a', ' ', '\n']],
    ['code points', /[😀]/u, ['😀', '😁', '\ud83d'], ['😀', '😁']],
    ['none where a text is compared with itself', /(.)\1/, ['a', 'b', 'a'], ['a', 'b']],
  ])('count once: %s', (_, { source, flags }, texts, expected) => {
    expect(distinctTexts(source, flags)(texts)).toEqual(expected);
  });
});
