import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DisjointSets } from './disjoint-sets.ts';
import { joinNearDuplicates } from './join-near-duplicates.ts';
import { SIGNATURE_BYTES } from './signature.ts';
import { SignatureList } from './signature-list.ts';

/** One of a few very different signatures, with some of its bytes changed. */
const sketch = fc.tuple(fc.nat(3), fc.array(fc.nat(SIGNATURE_BYTES - 1), { maxLength: 24 }));

it('near duplicates end in one set, by way of others too, and nothing else does', () => {
  fc.assert(
    fc.property(fc.array(sketch, { maxLength: 30 }), (sketches) => {
      const signatures = new SignatureList();
      for (const [kind, changes] of sketches) {
        const signature = new Uint8Array(SIGNATURE_BYTES).map((_, at) => 37 * (kind + 1) + at);
        for (const at of changes) signature[at] = 255 - (signature[at] as number);
        signatures.push(signature);
      }
      const sets = new DisjointSets(signatures.length);
      for (const _step of joinNearDuplicates(signatures, sets));
      const expected = naiveSets(signatures);
      sketches.forEach((_, number) => expect(sets.find(number)).toBe(expected.find(number)));
    }),
    { numRuns: 300 },
  );
});

/** Reference implementation: like the tables, it compares only the newest signature of each value of each band. */
function naiveSets(signatures: SignatureList): DisjointSets {
  const sets = new DisjointSets(signatures.length);
  for (let band = 0; band < 16; band += 1) {
    const newest = new Map<number, number>();
    for (let number = 0; number < signatures.length; number += 1) {
      const value = signatures.band(number, band);
      const candidate = newest.get(value);
      newest.set(value, number);
      if (candidate !== undefined && signatures.nearness(number, candidate) > 0) sets.join(number, candidate);
    }
  }
  return sets;
}
