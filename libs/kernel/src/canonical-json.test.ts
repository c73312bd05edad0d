import { describe, expect, it } from '@jest/globals';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalJson, sha256Hex } from './canonical-json.ts';

describe('canonicalJson', () => {
  it('does not depend on the order in which properties were set', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const reversed = Object.fromEntries(Object.entries(object).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(object));
      }),
    );
  });

  it('says the same as the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('is what another implementation of RFC 8785 makes of it, and refused where that refuses', () => {
    const text = fc.string({ unit: 'binary' }).map((whole) => whole.slice(0, whole.length - (whole.length % 2)));
    const written = fc.constantFrom('\\ud800', '\\\\udc00', '\ud800', '\\', '"', '\u2028', '__proto__', '10', '9');
    const part = fc.oneof(
      text,
      written,
      fc.tuple(written, written).map(([left, right]) => left + right),
    );
    const leaf = fc.oneof(part, fc.double(), fc.integer(), fc.boolean(), fc.constant(null));
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value')), fc.dictionary(part, tie('value'))),
    }));
    fc.assert(
      fc.property(value, (any) => {
        expect(outcomeOf(() => canonicalJson(any))).toBe(outcomeOf(() => canonicalize(any)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('goes as deep as a value does', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(canonicalJson(JSON.parse(deep))).toBe(deep);
  });

  it.each([undefined, () => 1])('refuses %p, which has no JSON form', (value) => {
    expect(() => canonicalJson(value)).toThrow();
  });
});

describe('sha256Hex', () => {
  it('is the digest that everybody else computes', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sha256Hex(new TextEncoder().encode('abc'))).toBe(sha256Hex('abc'));
  });
});

function outcomeOf(work: () => string | undefined): string | undefined {
  try {
    return work();
  } catch {
    return 'refused';
  }
}
