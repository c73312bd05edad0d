import type { CursorKey, Slice, SliceRequest } from '@clew/kernel';
import type { mongo } from 'mongoose';
import { createCountEntries, type CountEntries } from './count-entries.ts';
import type { Database } from './database.ts';
import { rangesBetween, walkBetween } from './keyset-ranges.ts';
import { keysetKey, type KeysetSort } from './keyset.ts';

/** Value of an array of the document, by which an index finds it. */
export interface IndexedValue {
  field: string;
  value: string;
}

/** Filter of a list of documents that have some values. */
export interface ValuedFilter {
  /** Equality conditions that come before the value in each index. */
  scope: object;
  /** Values that a document must all have, at least one: one of them finds it, the others are compared. */
  values: readonly IndexedValue[];
  /** Conditions that the indexes hold. */
  indexed: object;
  /** Conditions that only the document can answer, or an index by looking at each entry. */
  compared: readonly object[];
}

/** Filter as it is read: some conditions within an index, the others on a bounded number of documents. */
export interface ListPlan {
  /** Conditions that the index answers, and those that documents are compared with. */
  indexed: object;
  compared: object[];
}

/** Filter that is read by one of its values. */
export interface ValuedPlan extends ListPlan {
  /** Value by which the index is read. */
  value: IndexedValue;
}

/** Reads lists by whichever of several values the fewest documents have. */
export interface ValuedLists<Document extends mongo.Document> {
  /** Chooses the value by which the index is read. `indexOf` names an index of the value's field. */
  planOf(filter: ValuedFilter, indexOf: (field: string) => string): Promise<ValuedPlan>;
  /** Counts within an index, up to a limit. */
  count: CountEntries;
  /**
   * Last place of a page that compares so many documents, by default as many as one page may; undefined if nothing is
   * compared, or if the list ends before.
   */
  endOf(
    plan: ListPlan,
    request: { order: KeysetSort; hint: string; after?: CursorKey | undefined; most?: number },
  ): Promise<CursorKey | undefined>;
  /** Reads a page, which may hold fewer than the limit although there are more. */
  slice<Item>(
    plan: ListPlan,
    request: SliceRequest & { order: KeysetSort; hint: string; projection?: mongo.Document },
    toItem: (document: Document) => Item,
  ): Promise<Slice<Item>>;
}

const MAX_COUNTED_VALUES = 8;
/** Count beyond which a value is simply frequent. */
const MAX_FREQUENCY = 1_000;
/** Documents that one page, or one count, compares with conditions that no index holds. */
export const MAX_COMPARED = 4_000;
/** Documents that a page compares first for each one that it may show: usually they are enough. */
const FIRST_COMPARED_OF_EACH = 8;

export function createValuedLists<Document extends mongo.Document>(
  database: Database,
  collection: mongo.Collection<Document>,
): ValuedLists<Document> {
  const count = createCountEntries(database, collection);

  async function rarestFirst({ scope, values }: ValuedFilter, indexOf: (field: string) => string) {
    if (values.length < 2) return [...values];
    const counted = values.slice(0, MAX_COUNTED_VALUES).map(async (one) => {
      const query = { ...scope, [one.field]: one.value };
      return { one, count: await count(query, { limit: MAX_FREQUENCY, hint: indexOf(one.field) }) };
    });
    const inOrder = (await Promise.all(counted)).sort((left, right) => left.count - right.count);
    return [...inOrder.map(({ one }) => one), ...values.slice(MAX_COUNTED_VALUES)];
  }

  const endOf: ValuedLists<Document>['endOf'] = async (plan, { order, hint, after, most = MAX_COMPARED }) => {
    if (plan.compared.length === 0) return undefined;
    const projection = Object.fromEntries(order.map(([field]) => [field, 1]));
    for (const { range, sort } of rangesBetween(order, after, undefined)) {
      const filter = { $and: [plan.indexed, range] } as mongo.Filter<Document>;
      const options = { projection, hint, skip: most - 1, limit: 1, sort: Object.fromEntries(sort) };
      const [last] = await collection.find(filter, options).toArray();
      if (last !== undefined) return keysetKey(order, last);
    }
    return undefined;
  };

  return {
    count,
    endOf,
    async planOf(filter, indexOf) {
      const [value, ...others] = await rarestFirst(filter, indexOf);
      if (value === undefined) throw new Error('A list has a value at least');
      return {
        value,
        indexed: { ...filter.scope, ...filter.indexed, [value.field]: value.value },
        compared: [...withOthers(others), ...filter.compared],
      };
    },
    async slice(plan, { order, hint, projection, limit, after }, toItem) {
      const first = Math.min(FIRST_COMPARED_OF_EACH * limit, MAX_COMPARED);
      const filter = { $and: [plan.indexed, ...plan.compared] };
      const found: Document[] = [];
      let begin = after;
      for (const most of [first, MAX_COMPARED - first].filter((count) => count > 0)) {
        const upTo = await endOf(plan, { order, hint, after: begin, most });
        const read = {
          filter,
          hint,
          after: begin,
          upTo,
          limit: limit - found.length,
          ...(projection && { projection }),
        };
        for await (const document of walkBetween(collection, order, read, (each) => each)) {
          const last = found.at(-1);
          if (found.length === limit && last !== undefined) {
            return { items: found.map(toItem), next: keysetKey(order, last) };
          }
          found.push(document);
        }
        if (upTo === undefined) return { items: found.map(toItem), next: undefined };
        begin = upTo;
      }
      return { items: found.map(toItem), next: begin };
    },
  };
}

/** Condition that other values are there too; it keeps them from the choice of the value that the index is read by. */
function withOthers(others: readonly IndexedValue[]): object[] {
  return others.length === 0 ? [] : [{ $nor: others.map(({ field, value }) => ({ [field]: { $ne: value } })) }];
}
