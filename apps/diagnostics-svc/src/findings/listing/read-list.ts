import type { FindingSort } from '@clew/contracts';
import { takeSlice, type CursorKey, type Slice, type SliceRequest } from '@clew/kernel';
import {
  compareKeys,
  keysetKey,
  rangesBetween,
  type CountEntries,
  type KeysetSort,
  type OrderedRange,
} from '@clew/persistence';
import type { mongo } from 'mongoose';
import type { FindingDocument } from '../finding.model.ts';
import { DEFAULT_SORT, SORTS } from './finding-order.ts';
import { boundsAfter, canHold } from './index-position.ts';
import type { ListPlan, Way } from './list-plan.ts';

/**
 * Number of Findings up to which they are found by a filter and sorted here; with more, the order of the list soon
 * yields a page.
 */
const MAX_FEW = 2_000;
/** Same if the documents are read, which takes longer than the index alone. */
const MAX_FEW_DOCUMENTS = 1_000;
/** Number of Findings that one request looks at in the order of the list. */
const MAX_LOOKED_AT = 3_000;
const MAX_DOCUMENTS_LOOKED_AT = 1_000;
/** Findings that are looked at first for each one of a page. */
const FIRST_LOOKED_AT_OF_EACH = 8;

/** Findings, and how many of them are in a part of an index. */
export interface ListSource {
  findings: mongo.Collection<FindingDocument>;
  count: CountEntries;
}

type Findings = ListSource['findings'];
type Key = Record<string, string | number>;

/** Way to at most `MAX_FEW` Findings, of several the one to the fewest; `undefined` if all lead to more. */
export async function fewestOf({ count }: ListSource, { ways, readsDocuments }: ListPlan): Promise<Way | undefined> {
  const max = readsDocuments ? MAX_FEW_DOCUMENTS : MAX_FEW;
  const counted = await Promise.all(
    ways.map(async (way) => {
      return { way, count: await count(way.among, { hint: way.index.name, limit: max + 1 }) };
    }),
  );
  const [fewest] = counted.toSorted((one, other) => one.count - other.count);
  return fewest !== undefined && fewest.count <= max ? fewest.way : undefined;
}

/** Reads a page of ids. The database examines a bounded number of index keys, and sorts nothing. */
export async function readList(
  source: ListSource,
  plan: ListPlan,
  { sort = DEFAULT_SORT, ...slice }: SliceRequest & { sort?: FindingSort | undefined },
): Promise<Slice<string>> {
  const { findings } = source;
  const few = plan.isExact ? undefined : await fewestOf(source, plan);
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

/**
 * Walks in the order of the list, past Findings that do not match, up to a bounded number of them: a few first, which
 * usually are enough. The last one of so many is found first, because a query can bound what it returns, and not what
 * it reads.
 */
async function walkPart(
  findings: Findings,
  plan: ListPlan,
  sort: FindingSort,
  { limit, after }: SliceRequest,
): Promise<Slice<string>> {
  const { order } = SORTS[sort];
  const most = plan.readsDocuments ? MAX_DOCUMENTS_LOOKED_AT : MAX_LOOKED_AT;
  const first = Math.min(FIRST_LOOKED_AT_OF_EACH * limit, most);
  const steps = plan.isExact ? [Infinity] : [first, most - first].filter((count) => count > 0);
  const found: CursorKey[] = [];
  let begin = after;
  for (const count of steps) {
    const upTo = await keyAt(findings, plan, order, { after: begin, count });
    for (const range of rangesBetween(order, begin, upTo).filter((each) => canHold(each, plan.all))) {
      found.push(...(await keysIn(findings, plan, order, { ...range, limit: limit + 1 - found.length })));
      if (found.length > limit) return { items: found.slice(0, limit).map(idOf), next: found[limit - 1] };
    }
    if (upTo === undefined) return { items: found.map(idOf), next: undefined };
    begin = upTo;
  }
  return { items: found.map(idOf), next: begin };
}

/** Key of the last one of so many entries after a key; `undefined` if there are fewer. */
async function keyAt(
  findings: Findings,
  { inOrder }: ListPlan,
  order: KeysetSort,
  { after, count }: { after: CursorKey | undefined; count: number },
): Promise<CursorKey | undefined> {
  const bounds = boundsAfter(inOrder, after);
  if (count === Infinity || bounds === undefined) return undefined;
  const read = { ...bounds, hint: inOrder.index.name, projection: fieldsOf(order), skip: count - 1, limit: 1 };
  const [key] = await findings.find<Key>({}, read).toArray();
  return key === undefined ? undefined : keysetKey(order, key);
}

/** Keys of a range that meet all conditions, in its order. */
async function keysIn(
  findings: Findings,
  { all, inOrder }: ListPlan,
  order: KeysetSort,
  { range, sort, limit }: OrderedRange & { limit: number },
): Promise<CursorKey[]> {
  const read = { sort: Object.fromEntries(sort), hint: inOrder.index.name, projection: fieldsOf(order), limit };
  const found = await findings.find<Key>({ $and: [inOrder.among, range, all] }, read).toArray();
  return found.map((key) => keysetKey(order, key));
}

function fieldsOf(order: KeysetSort): Record<string, 1> {
  return Object.fromEntries(order.map(([field]) => [field, 1 as const]));
}

function idOf(key: CursorKey): string {
  return String(key.at(-1));
}
