import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createCursorCodec, type CursorKey, type CursorScope } from './cursor.ts';

const codec = createCursorCodec(Buffer.alloc(32, 1));
const keys = fc.array(fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })), {
  minLength: 1,
  maxLength: 3,
});
const filterValues = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(undefined), fc.array(fc.string()));
const scopes: fc.Arbitrary<CursorScope> = fc.record({
  list: fc.constantFrom('findings', 'examples'),
  projectId: fc.constantFrom('prj_a', 'prj_b'),
  filters: fc.dictionary(fc.constantFrom('status', 'q', 'since'), filterValues),
});

function sameKey(key: CursorKey): CursorKey {
  return JSON.parse(JSON.stringify(key)) as CursorKey;
}

describe('createCursorCodec', () => {
  it('gives back the key under the scope that it was made for', () => {
    fc.assert(
      fc.property(scopes, keys, (scope, key) => {
        expect(codec.decode(scope, codec.encode(scope, key))).toEqual(sameKey(key));
      }),
    );
  });

  it('makes cursors that need no escaping in a URL', () => {
    fc.assert(fc.property(scopes, keys, (scope, key) => /^[\w-]+$/.test(codec.encode(scope, key))));
  });

  it('refuses a cursor with any one byte changed', () => {
    fc.assert(
      fc.property(scopes, keys, fc.nat(), fc.integer({ min: 1, max: 255 }), (scope, key, at, change) => {
        const bytes = Buffer.from(codec.encode(scope, key), 'base64url');
        const index = at % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ change;
        expect(codec.decode(scope, bytes.toString('base64url'))).toBeUndefined();
      }),
    );
  });

  it('refuses a cursor with any one character changed, added or taken away', () => {
    const scope = { list: 'findings', projectId: 'prj_a', filters: {} };
    const cursor = codec.encode(scope, [1, 'a']);
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), fc.string({ minLength: 0, maxLength: 2 }), (at, text) => {
        const changed = cursor.slice(0, at) + text + cursor.slice(at + 1);
        fc.pre(changed !== cursor);
        expect(codec.decode(scope, changed)).toBeUndefined();
        expect(codec.decode(scope, cursor + text + '=')).toBeUndefined();
      }),
    );
  });

  it('refuses a cursor under another list, project or filter', () => {
    fc.assert(
      fc.property(scopes, scopes, keys, (made, used, key) => {
        const comparable = ({ filters, ...rest }: CursorScope) =>
          JSON.stringify([
            rest,
            Object.entries(filters)
              .filter(([, value]) => value !== undefined)
              .sort(),
          ]);
        fc.pre(comparable(made) !== comparable(used));
        expect(codec.decode(used, codec.encode(made, key))).toBeUndefined();
      }),
    );
  });

  it('takes filters for the same in any order, and an absent one for an undefined one', () => {
    const made = codec.encode({ list: 'l', projectId: 'p', filters: { a: 1, b: 'x' } }, [1]);
    expect(codec.decode({ list: 'l', projectId: 'p', filters: { b: 'x', a: 1, c: undefined } }, made)).toEqual([1]);
  });

  it('refuses a cursor of another secret', () => {
    const scope = { list: 'l', projectId: 'p', filters: {} };
    const other = createCursorCodec(Buffer.alloc(32, 2));
    expect(other.decode(scope, codec.encode(scope, [1]))).toBeUndefined();
  });

  it('refuses whatever else a caller sends, without throwing', () => {
    const scope = { list: 'l', projectId: 'p', filters: {} };
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => codec.decode(scope, text) === undefined));
    expect(codec.decode(scope, 'A'.repeat(1_000_000))).toBeUndefined();
  });
});
