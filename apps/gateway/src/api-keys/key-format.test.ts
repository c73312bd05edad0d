import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hashKey, isWellFormedKey, newKeySecret, startOfKey } from './key-format.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const environments = fc.constantFrom('live', 'test', 'dev', 'st', 'production');
const secrets = environments.map((environment) => newKeySecret(environment));
const RANDOM_PART = /[0-9A-Za-z]{36}$/;

describe('a new secret', () => {
  it('is `clew_<environment>_`, 30 characters and the 6 of their checksum', () => {
    fc.assert(
      fc.property(environments, (environment) => {
        const secret = newKeySecret(environment);
        expect(secret).toMatch(new RegExp(`^clew_${environment}_[0-9A-Za-z]{36}$`));
        expect(isWellFormedKey(secret)).toBe(true);
      }),
    );
  });

  it('has the CRC32 that other tools compute', () => {
    // Checksum computed with zlib in another language.
    expect(isWellFormedKey('clew_live_ThisIsATestOfTheChecksum0000013VgTAg')).toBe(true);
  });

  it('is never the same, and uses the whole alphabet evenly', () => {
    const made = Array.from({ length: 2_000 }, () => newKeySecret('live'));
    expect(new Set(made).size).toBe(made.length);
    const counts = new Map<string, number>();
    for (const secret of made)
      for (const character of secret.slice(10, 40)) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 60,000 draws: about 968 each, with a standard deviation of 31.
    for (const count of counts.values()) expect(Math.abs(count - 968)).toBeLessThan(250);
  });
});

describe('the checksum', () => {
  it('catches every change of a single character', () => {
    fc.assert(
      fc.property(secrets, fc.nat(35), fc.constantFrom(...BASE62), (secret, at, character) => {
        const index = secret.length - 36 + at;
        fc.pre(secret[index] !== character);
        expect(isWellFormedKey(secret.slice(0, index) + character + secret.slice(index + 1))).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it('catches every swap of two different characters', () => {
    fc.assert(
      fc.property(secrets, fc.nat(34), (secret, at) => {
        const index = secret.length - 36 + at;
        const [first = '', second = ''] = secret.slice(index, index + 2);
        fc.pre(first !== second);
        expect(isWellFormedKey(secret.slice(0, index) + second + first + secret.slice(index + 2))).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it('catches a character lost or added, and anything around the key', () => {
    fc.assert(
      fc.property(secrets, fc.nat(35), fc.constantFrom(...BASE62, ' ', '\n', '-'), (secret, at, character) => {
        const index = secret.length - 36 + at;
        expect(isWellFormedKey(secret.slice(0, index) + character + secret.slice(index))).toBe(false);
        expect(isWellFormedKey(secret.slice(0, index) + secret.slice(index + 1))).toBe(false);
        expect(isWellFormedKey(secret + character)).toBe(false);
        expect(isWellFormedKey(character + secret)).toBe(false);
      }),
    );
  });

  it('refuses other texts, without throwing', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !isWellFormedKey(text)));
    expect(isWellFormedKey('clew_live_' + 'a'.repeat(100_000))).toBe(false);
  });
});

describe('hashKey', () => {
  it('is HMAC-SHA256 in hex', () => {
    // RFC 4231, test case 2.
    expect(hashKey(createSecretKey(Buffer.from('Jefe')), 'what do ya want for nothing?')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('depends on the pepper, so that a copy of the database alone finds no key', () => {
    const [one, other] = [createSecretKey(Buffer.alloc(32, 1)), createSecretKey(Buffer.alloc(32, 2))];
    fc.assert(fc.property(secrets, (secret) => hashKey(one, secret) !== hashKey(other, secret)));
  });
});

describe('startOfKey', () => {
  it('shows six characters of the random part, and nothing of the rest', () => {
    fc.assert(
      fc.property(secrets, (secret) => {
        const [random = ''] = RANDOM_PART.exec(secret) ?? [];
        expect(startOfKey(secret)).toBe(secret.slice(0, -36) + random.slice(0, 6));
      }),
    );
  });
});
