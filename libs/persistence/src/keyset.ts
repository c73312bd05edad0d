import type { CursorKey } from '@clew/kernel';

/** Fields of a list's order with their directions, the last field unique. Every document has all of them. */
export type KeysetSort = readonly (readonly [field: string, direction: 1 | -1])[];

/** Filter to be combined as `{ $and: [filters, keysetFilter(...)] }`. */
export interface KeysetFilter {
  $and: Record<string, unknown>[];
}

/**
 * Filter for the documents after a key in the order. It limits the first field at the top level, so that an index on
 * the filter's equality fields followed by the sort fields is read from the key on, without a sort in memory.
 */
export function keysetFilter(sort: KeysetSort, key: CursorKey): KeysetFilter {
  const first = sort[0];
  if (first === undefined || sort.length !== key.length) {
    throw new RangeError(`The key has ${key.length} values for ${sort.length} sort fields`);
  }
  const alternatives = sort.map(([field, direction], index) => ({
    ...Object.fromEntries(sort.slice(0, index).map(([equal], position) => [equal, key[position]])),
    [field]: { [direction === 1 ? '$gt' : '$lt']: key[index] },
  }));
  return { $and: [{ [first[0]]: { [first[1] === 1 ? '$gte' : '$lte']: key[0] } }, { $or: alternatives }] };
}

/** Computes the key of a document in an order, for the cursor; dates become Unix epoch milliseconds. */
export function keysetKey(sort: KeysetSort, document: object): CursorKey {
  return sort.map(([field]) => {
    const value: unknown = (document as Record<string, unknown>)[field];
    if (value instanceof Date) return value.getTime();
    if (typeof value === 'string' || typeof value === 'number') return value;
    throw new TypeError(`The sort field ${field} holds neither a text, a number nor a date`);
  });
}

/** Compares two keys as the database does: texts by their UTF-8 bytes. */
export function compareKeys(sort: KeysetSort, one: CursorKey, other: CursorKey): number {
  for (const [index, [, direction]] of sort.entries()) {
    const difference = compareValues(one[index], other[index]);
    if (difference !== 0) return difference * direction;
  }
  return 0;
}

function compareValues(one: CursorKey[number] | undefined, other: CursorKey[number] | undefined): number {
  if (one === other) return 0;
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}
