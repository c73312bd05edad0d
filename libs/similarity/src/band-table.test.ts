import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BandTable } from './band-table.ts';
import { SignatureList } from './signature-list.ts';
import { SIGNATURE_BYTES } from './signature.ts';

const BAND = 3;

function signatureOf(value: number): Uint8Array {
  const signature = new Uint8Array(SIGNATURE_BYTES);
  new DataView(signature.buffer).setUint32(4 * BAND, value, true);
  return signature;
}

/** With such a high number a slot has room for only two bits of a hash, so that most values look alike. */
const maxNumber = fc.constantFrom(10_000, 2 ** 30 - 2);
const values = fc.array(fc.oneof(fc.nat(200), fc.nat(2 ** 32 - 1)), { maxLength: 3_000, size: 'max' });

it('holds the newest signature of each value, however many it grows to', () => {
  fc.assert(
    fc.property(maxNumber, values, (highest, added) => {
      const signatures = new SignatureList();
      const table = new BandTable(signatures, BAND, highest);
      const newest = new Map<number, number>();
      for (const value of added) {
        const number = signatures.push(signatureOf(value));
        expect(table.find(number)).toBe(newest.get(value) ?? -1);
        expect(table.replace(number)).toBe(newest.get(value) ?? -1);
        newest.set(value, number);
      }
    }),
    { numRuns: 30 },
  );
});
