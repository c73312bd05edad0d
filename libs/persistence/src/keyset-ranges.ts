import type { CursorKey } from '@clew/kernel';
import type { mongo } from 'mongoose';
import { walkInOrder } from './keyset-list.ts';
import type { KeysetSort } from './keyset.ts';

/** Part of an index whose entries have equal values in the fields before those of its sort. */
export interface OrderedRange {
  /** Condition on the fields of the order. */
  range: Record<string, unknown>;
  sort: KeysetSort;
}

/**
 * Ranges of an order, one after the other, that hold what comes after one key, up to another one: each has equal values
 * in some first fields. They take the place of one condition with `$or`, which the database may read branch by branch,
 * and then sorts, if the index has several ranges in front of the order, or none of its branches by the index alone.
 */
export function rangesBetween(
  order: KeysetSort,
  after: CursorKey | undefined,
  upTo: CursorKey | undefined,
): OrderedRange[] {
  const [first, ...others] = order;
  if (first === undefined) return [];
  const [field, direction] = first;
  const [beyond, within, to] = direction === 1 ? ['$gt', '$lt', '$lte'] : ['$lt', '$gt', '$gte'];
  const [begin, end] = [after?.[0], upTo?.[0]];
  const between = (last: string) => {
    const limits = {
      ...(begin === undefined ? {} : { [beyond]: begin }),
      ...(end === undefined ? {} : { [last]: end }),
    };
    return { range: Object.keys(limits).length === 0 ? {} : { [field]: limits }, sort: order };
  };
  if (others.length === 0) return [between(to)];
  const equal = (value: CursorKey[number], from: CursorKey | undefined, until: CursorKey | undefined) =>
    rangesBetween(others, from, until).map(({ range, sort }) => ({ range: { [field]: value, ...range }, sort }));
  if (begin !== undefined && begin === end) return equal(begin, after?.slice(1), upTo?.slice(1));
  return [
    ...(begin === undefined ? [] : equal(begin, after?.slice(1), undefined)),
    between(within),
    ...(end === undefined ? [] : equal(end, undefined, upTo?.slice(1))),
  ];
}

/** Walk through a part of a list, from an index on the filter's fields followed by the order. */
export interface RangeWalk {
  filter: object;
  hint: string;
  after?: CursorKey | undefined;
  upTo: CursorKey | undefined;
  /** Documents that are wanted at most: one more is read, to tell whether there are more. */
  limit: number;
  projection?: mongo.Document;
}

/** Walks a list between two keys in its order, without a sort in memory. */
export async function* walkBetween<Document extends mongo.Document, Item>(
  collection: mongo.Collection<Document>,
  order: KeysetSort,
  { filter, after, upTo, ...read }: RangeWalk,
  toItem: (document: Document) => Item,
): AsyncGenerator<Item> {
  for (const { range, sort } of rangesBetween(order, after, upTo)) {
    const within = { ...read, filter: { $and: [filter, range] }, after: undefined };
    yield* walkInOrder(collection, sort, within, toItem);
  }
}
