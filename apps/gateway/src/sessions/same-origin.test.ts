import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from '@clew/kernel';
import { isSafeMethod, isSameOrigin, requireSameOrigin } from './same-origin.ts';

const HERE = 'https://clew.example';

function refusal(method: string, headers: Record<string, string>): string | undefined {
  try {
    requireSameOrigin({ method, headers }, HERE);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

describe('a request with a cookie that changes something', () => {
  it.each<[string, Record<string, string>]>([
    ['whose browser says that it is of this origin', { 'sec-fetch-site': 'same-origin' }],
    ['whose browser names this origin, over http, where it says no more', { origin: HERE }],
    ['of this origin behind a proxy that rewrites the host', { 'sec-fetch-site': 'same-origin', host: 'clew:8080' }],
  ])('passes: %s', (_name, headers) => {
    expect(refusal('POST', headers)).toBeUndefined();
  });

  it.each<[string, Record<string, string>]>([
    ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['from another host of the same site', { 'sec-fetch-site': 'same-site', origin: 'https://other.clew.example' }],
    ['that claims this origin, though the browser says otherwise', { 'sec-fetch-site': 'cross-site', origin: HERE }],
    ['typed by hand, as the browser says', { 'sec-fetch-site': 'none' }],
    ['from a sandboxed frame', { origin: 'null' }],
    ['without either header', {}],
    ['over http instead of https', { origin: 'http://clew.example' }],
    ['from another port', { origin: 'https://clew.example:8443' }],
    ['from an origin that begins alike', { origin: 'https://clew.example.evil.example' }],
    ['with two origins', { origin: `${HERE}, https://evil.example` }],
    ['with two answers of the browser', { 'sec-fetch-site': 'same-origin, cross-site' }],
    ['with another host that equals its origin', { origin: 'https://evil.example', host: 'evil.example' }],
  ])('is refused: %s', (_name, headers) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) expect(refusal(method, headers)).toBe('CROSS_ORIGIN');
  });

  it('passes with exactly one value of each header, whatever else there is', () => {
    const site = fc.option(fc.constantFrom('same-origin', 'same-site', 'cross-site', 'none', '', 'Same-Origin'), {
      nil: undefined,
    });
    const origin = fc.option(fc.oneof(fc.constant(HERE), fc.webUrl(), fc.constantFrom('null', '')), { nil: undefined });
    fc.assert(
      fc.property(site, origin, fc.webAuthority(), (fetchSite, from, host) => {
        const headers = {
          host,
          ...(fetchSite === undefined ? {} : { 'sec-fetch-site': fetchSite }),
          ...(from === undefined ? {} : { origin: from }),
        };
        const expected = fetchSite === undefined ? from === HERE : fetchSite === 'same-origin';
        expect(isSameOrigin({ headers }, HERE)).toBe(expected);
      }),
      { numRuns: 200 },
    );
  });
});

it('a method that changes nothing passes from anywhere, and every other one counts as a change', () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS']) expect(refusal(method, { origin: 'null' })).toBeUndefined();
  fc.assert(
    fc.property(fc.string(), (method) => {
      expect(isSafeMethod(method)).toBe(['GET', 'HEAD', 'OPTIONS'].includes(method));
    }),
    { numRuns: 100 },
  );
  expect(isSafeMethod(undefined)).toBe(false);
});
