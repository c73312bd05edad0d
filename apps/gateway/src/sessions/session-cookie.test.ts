import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createSessionCookie } from './session-cookie.ts';

const secure = createSessionCookie('https://clew.example');
const plain = createSessionCookie('http://127.0.0.1:8080');
const VALUE = 'v'.repeat(43);
const read = (cookie: string | undefined, from = secure) =>
  from.read({ headers: cookie === undefined ? {} : { cookie } });

describe('the cookie of a session', () => {
  it('is for this host alone over https: no other host of the domain can set it', () => {
    const header = secure.give(VALUE, 2_592_000_000);
    expect(header).toBe(`__Host-clew_session=${VALUE}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax; Secure`);
    expect(header).not.toContain('Domain');
    expect(plain.give(VALUE, 1_000)).toBe(`clew_session=${VALUE}; Max-Age=1; Path=/; HttpOnly; SameSite=Lax`);
    expect(secure.take()).toMatch(/^__Host-clew_session=; Max-Age=0; .*Secure$/);
  });

  it('is read among others, and its name is all of the name', () => {
    expect(read(`a=1; __Host-clew_session=${VALUE}; b=2`)).toBe(VALUE);
    expect(read(`x__Host-clew_session=${VALUE}`)).toBeUndefined();
    expect(read(`clew_session=${VALUE}`)).toBeUndefined();
    expect(read(`__Host-clew_session=${VALUE}`, plain)).toBeUndefined();
    expect(read(undefined)).toBeUndefined();
  });

  it('is not read where there are two: one of them was planted', () => {
    expect(read(`__Host-clew_session=${VALUE}; __Host-clew_session=${'w'.repeat(43)}`)).toBeUndefined();
    expect(read(`clew_session=${VALUE}; clew_session=${VALUE}`, plain)).toBeUndefined();
  });

  it('gives a value of the right form, or nothing, for any header', () => {
    const piece = fc.constantFrom('__Host-clew_session', '=', ';', ' ', VALUE, 'x', '"', ',');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        expect(read(pieces.join('')) ?? VALUE).toMatch(/^[\w-]{43}$/);
      }),
      { numRuns: 200 },
    );
  });
});
