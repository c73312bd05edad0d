import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HOME, returnPathOf } from './return-path.ts';

const ORIGIN = 'https://clew.example';

describe('the path to return to', () => {
  it.each(['/', '/device?code=A%20B#c', '/projects/prj_1/findings?severity=high&x=//y', '/a//b'])(
    'is kept: %s',
    (path) => {
      expect(returnPathOf(path)).toBe(path);
    },
  );

  it.each([
    ['nothing', undefined],
    ['another origin', 'https://evil.example/'],
    ['an origin without scheme', '//evil.example'],
    ['a backslash, which browsers take for a slash', '/\\evil.example'],
    ['a tab, which browsers skip', '/\t/evil.example'],
    ['dot segments that leave two slashes', '/x/..//evil.example'],
    ['the same, escaped', '/%2e%2e//evil.example'],
    ['a scheme', 'javascript:alert(1)'],
    ['a relative path', 'evil'],
    ['one that is too long', `/${'x'.repeat(1_000)}`],
  ])('is home for %s', (_name, path) => {
    expect(returnPathOf(path)).toBe(HOME);
  });

  it('never leaves the origin, whatever is given', () => {
    const pieces = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%2f',
      '%5c',
      '@',
      ':',
      '?',
      '#',
      'evil.example',
      '\t',
      'a',
    );
    const paths = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 12 }).map((parts) => `/${parts.join('')}`),
    );
    fc.assert(
      fc.property(paths, (path) => {
        const returned = returnPathOf(path);
        expect(returned).toMatch(/^\/(?!\/|\\)/);
        expect(new URL(returned, ORIGIN).origin).toBe(ORIGIN);
      }),
    );
  });
});
