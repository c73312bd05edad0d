import { expect, it } from '@jest/globals';
import { safeExternalUrl } from './external-url.ts';

it.each([
  ['https://github.com/a/b/issues/1', 'https://github.com/a/b/issues/1'],
  ['http://tracker.local/1', 'http://tracker.local/1'],
  ['javascript:alert(1)', undefined],
  [' java\tscript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['https://github.com@evil.example/', undefined],
  ['/relative', undefined],
  [null, undefined],
])('makes of %j the link %j', (given, href) => {
  expect(safeExternalUrl(given)).toBe(href);
});
