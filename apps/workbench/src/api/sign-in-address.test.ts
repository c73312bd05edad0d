import { expect, it } from '@jest/globals';
import { basePath, signInAddress } from './sign-in-address.ts';

it('leads to the sign-in page of the deployment, and back to the same address', () => {
  const place = { pathname: '/clew/p/prj_1/findings', search: '?severity=critical,high&q=a%26b', hash: '#x' };
  const address = new URL(signInAddress('https://example.com/clew/', place));
  expect(`${address.origin}${address.pathname}`).toBe('https://example.com/clew/sign-in');
  expect(address.searchParams.get('returnTo')).toBe('/clew/p/prj_1/findings?severity=critical,high&q=a%26b#x');
});

it.each([
  ['https://example.com/', '/'],
  ['https://example.com/clew/', '/clew'],
  ['https://example.com/a/b/', '/a/b'],
])('takes the path of the pages from the base %s', (base, path) => {
  expect(basePath(base)).toBe(path);
});
