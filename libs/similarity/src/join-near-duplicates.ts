import { BandTable } from './band-table.ts';
import type { DisjointSets } from './disjoint-sets.ts';
import { SIGNATURE_BANDS } from './signature.ts';
import type { SignatureList } from './signature-list.ts';

/** Comparisons per step: about 20 ms. */
const STEP_LENGTH = 50_000;

/**
 * Joins the sets of all signatures that are near duplicates; sets have the signatures' numbers. Near duplicates of near
 * duplicates end in one set. It works in steps, so that the caller can let other work run between them.
 */
export function* joinNearDuplicates(signatures: SignatureList, sets: DisjointSets): Generator<void> {
  const { length } = signatures;
  for (let band = 0; band < SIGNATURE_BANDS; band += 1) {
    // One table at a time: sixteen of them would take most of the memory.
    const table = new BandTable(signatures, band, length, length);
    for (let start = 0; start < length; start += STEP_LENGTH) {
      joinRange(signatures, sets, table, [start, Math.min(start + STEP_LENGTH, length)]);
      yield;
    }
  }
}

function joinRange(
  signatures: SignatureList,
  sets: DisjointSets,
  table: BandTable,
  [start, end]: readonly [start: number, end: number],
): void {
  for (let number = start; number < end; number += 1) {
    const candidate = table.replace(number);
    if (candidate === -1 || sets.find(candidate) === sets.find(number)) continue;
    if (signatures.nearness(number, candidate) > 0) sets.join(number, candidate);
  }
}
