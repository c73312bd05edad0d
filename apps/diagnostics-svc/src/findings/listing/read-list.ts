import type { FindingSort } from '@clew/contracts';
import { takeSlice, type CursorKey, type Slice, type SliceRequest } from '@clew/kernel';
import { compareKeys, keysetKey, type KeysetSort } from '@clew/persistence';
import type { mongo } from 'mongoose';
import type { FindingDocument } from '../finding.model.ts';
import { DEFAULT_SORT, SORTS } from './finding-order.ts';
import type { Conditions, ListPlan, Way } from './list-plan.ts';

/**
 * Number of Findings up to which they are found by a filter and sorted here; with more, the order of the list soon
 * yields a page.
 */
const MAX_FEW = 2_000;
/** Same if the documents are read, which takes longer than the index alone. */
const MAX_FEW_DOCUMENTS = 1_000;
/** Number of Findings that one request looks at in the order of the list. */
const MAX_LOOKED_AT = 5_000;
const MAX_DOCUMENTS_LOOKED_AT = 1_000;
/** Findings that are looked at first for each one of a page. */
const FIRST_LOOKED_AT_OF_EACH = 16;

type Findings = mongo.Collection<FindingDocument>;
type Key = Record<string, string | number>;

/** Way to at most `MAX_FEW` Findings, of several the one to the fewest; `undefined` if all lead to more. */
export async function fewestOf(findings: Findings, { ways, readsDocuments }: ListPlan): Promise<Way | undefined> {
  const max = readsDocuments ? MAX_FEW_DOCUMENTS : MAX_FEW;
  const counted = await Promise.all(
    ways.map(async (way) => {
      const count = await findings.countDocuments(way.among, { hint: way.index.name, limit: max + 1 });
      return { way, count };
    }),
  );
  const [fewest] = counted.toSorted((one, other) => one.count - other.count);
  return fewest !== undefined && fewest.count <= max ? fewest.way : undefined;
}

/** Reads a page of ids. The database examines a bounded number of index keys, and sorts nothing. */
export async function readList(
  findings: Findings,
  plan: ListPlan,
  { sort = DEFAULT_SORT, ...slice }: SliceRequest & { sort?: FindingSort | undefined },
): Promise<Slice<string>> {
  const few = plan.isExact ? undefined : await fewestOf(findings, plan);
  if (few === undefined) return walkPart(findings, plan, sort, slice);
  return readFew(
    findings,
    { ...few.among, $and: [plan.all] },
    { hint: few.index.name, order: SORTS[sort].order, slice },
  );
}

/** Reads all Findings that meet the conditions, few as they are, and takes the page from them. */
async function readFew(
  findings: Findings,
  conditions: object,
  { hint, order, slice }: { hint: string; order: KeysetSort; slice: SliceRequest },
): Promise<Slice<string>> {
  const found = await findings.find<Key>(conditions, { hint, projection: fieldsOf(order) }).toArray();
  const keys = found
    .map((key) => keysetKey(order, key))
    .filter((key) => slice.after === undefined || compareKeys(order, key, slice.after) > 0)
    .toSorted((one, other) => compareKeys(order, one, other));
  const { items, next } = await takeSlice(keys, { limit: slice.limit, keyOf: (key) => key });
  return { items: items.map(idOf), next };
}

/** Walks in the order of the list, past Findings that do not match, up to a bounded number of them. */
async function walkPart(
  findings: Findings,
  plan: ListPlan,
  sort: FindingSort,
  { limit, after }: SliceRequest,
): Promise<Slice<string>> {
  const { order } = SORTS[sort];
  const { among, index } = plan.inOrder;
  const found: CursorKey[] = [];
  for (const { range, sort: within } of rangesAfter(order, after)) {
    const read = { among: { $and: [among, range] }, hint: index.name, order, sort: within };
    const { keys, stoppedAt } = await readRange(findings, plan, read, limit + 1 - found.length);
    found.push(...keys);
    if (found.length > limit) return { items: found.slice(0, limit).map(idOf), next: found[limit - 1] };
    if (stoppedAt !== undefined) return { items: found.map(idOf), next: stoppedAt };
  }
  return { items: found.map(idOf), next: undefined };
}

interface RangeRead {
  among: Conditions;
  hint: string;
  order: KeysetSort;
  /** Part of the order in which the range is sorted; the fields before are equal. */
  sort: KeysetSort;
}

/** Reads a range of the index; returns where it stopped if more of it is left than it may look at. */
async function readRange(
  findings: Findings,
  { all, isExact, readsDocuments }: ListPlan,
  { among, hint, order, ...range }: RangeRead,
  limit: number,
): Promise<{ keys: CursorKey[]; stoppedAt?: CursorKey }> {
  const maxLookedAt = readsDocuments ? MAX_DOCUMENTS_LOOKED_AT : MAX_LOOKED_AT;
  const [sort, projection] = [Object.fromEntries(range.sort), fieldsOf(order)];
  const readAmong = async (lookedAt: number) => {
    const matching = isExact ? [] : [{ $limit: lookedAt }, { $match: all }];
    const stages = [{ $match: among }, { $sort: sort }, ...matching, { $limit: limit }, { $project: projection }];
    const found = await findings.aggregate<Key>(stages, { hint }).toArray();
    return found.map((key) => keysetKey(order, key));
  };
  // The server reads all that it may look at before it matches any, and usually the first ones are enough.
  const first = await readAmong(Math.min(FIRST_LOOKED_AT_OF_EACH * limit, maxLookedAt));
  if (isExact || first.length === limit) return { keys: first };
  const keys = await readAmong(maxLookedAt);
  if (keys.length === limit) return { keys };
  const last = await findings.findOne<Key>(among, { sort, hint, projection, skip: maxLookedAt - 1 });
  return { keys, ...(last === null ? {} : { stoppedAt: keysetKey(order, last) }) };
}

/**
 * Ranges of an index that come after a key, one after the other: those with the same first fields, then the rest. One
 * condition with `$or` would be decided by the documents, and a sort by fields that are equal would not use the index.
 */
function rangesAfter(order: KeysetSort, after: CursorKey | undefined): { range: Conditions; sort: KeysetSort }[] {
  if (after === undefined) return [{ range: {}, sort: order }];
  return order
    .map(([field], index) => {
      const equal = order.slice(0, index).map(([name], position) => [name, after[position]]);
      return { range: { ...Object.fromEntries(equal), [field]: { $lt: after[index] } }, sort: order.slice(index) };
    })
    .reverse();
}

function fieldsOf(order: KeysetSort): Record<string, 1> {
  return Object.fromEntries(order.map(([field]) => [field, 1 as const]));
}

function idOf(key: CursorKey): string {
  return String(key.at(-1));
}
