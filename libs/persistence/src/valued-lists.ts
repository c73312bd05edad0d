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

/** Flags of documents that a filter selects by. */
export interface FlagFilter {
  /** Wanted value of every flag; undefined stands for both. */
  wanted: Readonly<Record<string, boolean | undefined>>;
  /**
   * Fields whose indexes hold the flags between the value and the order. Where another one is read, flags are compared
   * on the documents: each entry of an index that holds a flag is written anew when the flag changes.
   */
  heldWith: readonly string[];
}

/** Filter of a list of documents that have some values. */
export interface ValuedFilter {
  /** Equality conditions that come before the value in each index. */
  scope: object;
  flags?: FlagFilter;
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
  /**
   * Looks for a value that fewer documents have, and plans by it, with the index to read. Present if all values are
   * frequent: it takes longer than most pages, so that it is asked where few of the first documents match.
   */
  rarer?: () => Promise<{ plan: ListPlan; hint: string }>;
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
/** Documents that one page, or one count, compares with conditions that no index holds. */
export const MAX_COMPARED = 4_000;
/** Count up to which values are told apart first: most filters have a rare one. */
const MAX_FREQUENCY = 1_000;
/** Documents that a page compares for each one that it may show, step by step: usually the first ones are enough. */
const COMPARED_OF_EACH = [8, 32] as const;

/** Index of each field, and the count up to which values are told apart. */
interface Frequencies {
  indexOf: (field: string) => string;
  limit: number;
}

export function createValuedLists<Document extends mongo.Document>(
  database: Database,
  collection: mongo.Collection<Document>,
): ValuedLists<Document> {
  const count = createCountEntries(database, collection);

  /** Puts the rarest value first, and tells whether one is rarer than a limit. */
  async function rarestFirst({ scope, values, flags }: ValuedFilter, { indexOf, limit }: Frequencies) {
    if (values.length < 2) return { inOrder: [...values], hasRare: true };
    const counted = values.slice(0, MAX_COUNTED_VALUES).map(async (one) => {
      const query = { ...scope, ...(isHeld(flags, one.field) ? wantedOf(flags) : {}), [one.field]: one.value };
      return { one, count: await count(query, { limit, hint: indexOf(one.field) }) };
    });
    const inOrder = (await Promise.all(counted)).sort((left, right) => left.count - right.count);
    return {
      inOrder: [...inOrder.map(({ one }) => one), ...values.slice(MAX_COUNTED_VALUES)],
      hasRare: (inOrder[0]?.count ?? 0) < limit,
    };
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
      const { inOrder, hasRare } = await rarestFirst(filter, { indexOf, limit: MAX_FREQUENCY });
      if (hasRare) return planBy(filter, inOrder);
      return {
        ...planBy(filter, inOrder),
        async rarer() {
          // Beyond so many documents a page ends, whatever finds them.
          const again = await rarestFirst(filter, { indexOf, limit: MAX_COMPARED + 1 });
          const plan = planBy(filter, again.inOrder);
          return { plan, hint: indexOf(plan.value.field) };
        },
      };
    },
    async slice(begun, { order, hint: firstHint, projection, limit, after }, toItem) {
      let [plan, hint] = [begun, firstHint];
      const found: Document[] = [];
      let begin = after;
      for (const [step, most] of stepsOf(limit).entries()) {
        // Each plan has the order of the list, so that another one may go on where this one is.
        const isSparse = step === 1 && found.length * COMPARED_OF_EACH[0] < limit;
        if (isSparse && begun.rarer !== undefined) ({ plan, hint } = await begun.rarer());
        const filter = { $and: [plan.indexed, ...plan.compared] };
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

/** Documents that a page compares in each step. */
function stepsOf(limit: number): number[] {
  const ends = [...COMPARED_OF_EACH.map((each) => Math.min(each * limit, MAX_COMPARED)), MAX_COMPARED];
  return ends.map((end, index) => end - (ends[index - 1] ?? 0)).filter((count) => count > 0);
}

/** Plan that is read by the first of some values. */
function planBy(filter: ValuedFilter, [value, ...others]: readonly IndexedValue[]): ValuedPlan {
  if (value === undefined) throw new Error('A list has a value at least');
  const { scope, flags, indexed, compared } = filter;
  const areHeld = isHeld(flags, value.field);
  const apart = areHeld ? {} : wantedOf(flags);
  return {
    value,
    indexed: { ...scope, ...(areHeld ? eitherOf(flags) : {}), ...indexed, [value.field]: value.value },
    compared: [...withOthers(others), ...(Object.keys(apart).length === 0 ? [] : [apart]), ...compared],
  };
}

function isHeld(flags: FlagFilter | undefined, field: string): flags is FlagFilter {
  return flags !== undefined && flags.heldWith.includes(field);
}

/** Conditions on every flag: an absent one stands for both of its values, so that the index gives the order. */
function eitherOf({ wanted }: FlagFilter): object {
  return Object.fromEntries(Object.entries(wanted).map(([flag, value]) => [flag, value ?? { $in: [false, true] }]));
}

/** Conditions on the flags that are wanted. */
function wantedOf(flags: FlagFilter | undefined): object {
  return Object.fromEntries(Object.entries(flags?.wanted ?? {}).filter(([, value]) => value !== undefined));
}

/** Condition that other values are there too; it keeps them from the choice of the value that the index is read by. */
function withOthers(others: readonly IndexedValue[]): object[] {
  return others.length === 0 ? [] : [{ $nor: others.map(({ field, value }) => ({ [field]: { $ne: value } })) }];
}
