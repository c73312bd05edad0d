import type { FindingSort } from '@clew/contracts';
import { takeSlice, type CursorKey, type Slice, type SliceRequest } from '@clew/kernel';
import { compareKeys, keysetKey, rangesBetween, type CountEntries, type KeysetSort } from '@clew/persistence';
import type { mongo } from 'mongoose';
import type { FindingDocument } from '../finding.model.ts';
import { DEFAULT_SORT, SORTS } from './finding-order.ts';
import { boundsAfter, canHold } from './index-position.ts';
import type { ListPlan, Way } from './list-plan.ts';

/** Number of Findings up to which they are found by a filter at once, and sorted here. */
const VERY_FEW = 500;
/** Same if a walk past some Findings was in vain: as many cost no more than the rest of the walk, and fill a page. */
const MAX_FEW = 1_000;
/** Same if the documents are read, which takes longer than the index alone. */
const MAX_FEW_DOCUMENTS = 500;
/** Number of Findings that one request looks at in the order of the list. */
const MAX_LOOKED_AT = 1_000;
const MAX_DOCUMENTS_LOOKED_AT = 500;
/** Findings that are looked at first for each one of a page. */
const FIRST_LOOKED_AT_OF_EACH = 8;

/** Findings, and how many of them are in a part of an index. */
export interface ListSource {
  findings: mongo.Collection<FindingDocument>;
  count: CountEntries;
  /** Same, as it was a while ago at most: for choices, never for answers. */
  recentCount: CountEntries;
}

type Findings = ListSource['findings'];
type Key = Record<string, string | number>;

/** List as one request reads it. */
interface Read {
  findings: Findings;
  plan: ListPlan;
  order: KeysetSort;
}

/** Findings of a page that a walk has found so far, and the key at which it goes on; `undefined` at the end. */
interface Walked {
  found: FindingDocument[];
  next: CursorKey | undefined;
}

/** Fields of a document that no page shows. */
export const NOT_SHOWN = { own: 0, listing: 0, titleWords: 0 } as const;

/** Way to few Findings, and how many they are. */
interface Few {
  way: Way;
  count: number;
}

/** Way to few Findings, of several the one to the fewest; `undefined` if all lead to more. */
export async function fewestOf(
  { recentCount }: ListSource,
  { ways, readsDocuments }: ListPlan,
): Promise<Few | undefined> {
  const max = readsDocuments ? MAX_FEW_DOCUMENTS : MAX_FEW;
  const counted = await Promise.all(
    ways.map(async (way) => {
      // The server counts the entries of one value without a look at them, and those of several one by one.
      const counts = (way.parts ?? [way.among]).map((part) =>
        recentCount(part, { hint: way.index.name, limit: max + 1 }),
      );
      return { way, count: (await Promise.all(counts)).reduce((sum, one) => sum + one, 0) };
    }),
  );
  const [fewest] = counted.toSorted((one, other) => one.count - other.count);
  return fewest !== undefined && fewest.count <= max ? fewest : undefined;
}

/**
 * Reads a page. The database examines a bounded number of index keys, and sorts nothing. Very few Findings are found by
 * a filter. Otherwise the order of the list is walked, past some Findings first, which usually are enough.
 */
export async function readList(
  source: ListSource,
  plan: ListPlan,
  { sort = DEFAULT_SORT, limit, after }: SliceRequest & { sort?: FindingSort | undefined },
): Promise<Slice<FindingDocument>> {
  const read = { findings: source.findings, plan, order: SORTS[sort].order };
  if (plan.isExact) return pageOf(await walk(read, { found: [], next: after }, { limit, count: Infinity }));
  const few = await fewestOf(source, plan);
  if (few !== undefined && few.count <= VERY_FEW) return readFew(read, few.way, { limit, after });
  const most = plan.readsDocuments ? MAX_DOCUMENTS_LOOKED_AT : MAX_LOOKED_AT;
  const first = Math.min(FIRST_LOOKED_AT_OF_EACH * limit, most);
  const begun = await walk(read, { found: [], next: after }, { limit, count: first });
  const isDone = begun.next === undefined || begun.found.length >= limit;
  if (isDone || first === most) return pageOf(begun);
  if (few === undefined) return pageOf(await walk(read, begun, { limit, count: most - first }));
  // Findings up to the end of the first step are known, and not read again.
  const { items, next } = await readFew(read, few.way, { limit: limit - begun.found.length, after: begun.next });
  return { items: [...begun.found, ...items], next };
}

function pageOf({ found: items, next }: Walked): Slice<FindingDocument> {
  return { items, next };
}

/** Reads the keys of all Findings that meet the conditions, few as they are, and then those of the page. */
async function readFew(
  { findings, plan, order }: Read,
  { among, index: { name: hint } }: Way,
  { limit, after }: SliceRequest,
): Promise<Slice<FindingDocument>> {
  const conditions = { ...among, $and: [plan.all] };
  const keys = (await keysOf(findings, conditions, { hint, order }))
    .filter((key) => after === undefined || compareKeys(order, key, after) > 0)
    .toSorted((one, other) => compareKeys(order, one, other));
  const { items, next } = await takeSlice(keys, { limit, keyOf: (key) => key });
  return { items: await documentsOf(findings, plan, items), next };
}

/** Documents of some keys, in their order; what is gone meanwhile is left out. */
async function documentsOf(
  findings: Findings,
  { listed }: ListPlan,
  keys: readonly CursorKey[],
): Promise<FindingDocument[]> {
  if (keys.length === 0) return [];
  const ids = keys.map((key) => String(key.at(-1)));
  const shown = { projection: NOT_SHOWN, hint: { _id: 1 }, batchSize: ids.length + 1 } as const;
  const documents = await findings.find({ ...listed, _id: { $in: ids } }, shown).toArray();
  const byId = new Map(documents.map((document) => [document._id, document]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Reads keys as one array for each field, because thousands of small documents take twice as long. */
async function keysOf(
  findings: Findings,
  conditions: object,
  { hint, order }: { hint: string; order: KeysetSort },
): Promise<CursorKey[]> {
  const columns = Object.fromEntries(order.map(([field], index) => [`field${index}`, { $push: `$${field}` }]));
  const stages = [{ $match: conditions }, { $project: fieldsOf(order) }, { $group: { _id: null, ...columns } }];
  const [found] = await findings.aggregate<Record<string, (string | number)[]>>(stages, { hint }).toArray();
  const values = order.map((_, index) => found?.[`field${index}`] ?? []);
  return (values[0] ?? []).map((_, row) => values.map((column) => column[row] ?? ''));
}

/**
 * Goes on in the order of the list, past so many Findings at most, until there are enough. The last one of so many is
 * found first, because a query can bound what it returns, and not what it reads.
 */
async function walk(
  read: Read,
  { found: before, next: after }: Walked,
  { limit, count }: { limit: number; count: number },
): Promise<Walked> {
  const { plan, order } = read;
  const upTo = await keyAt(read, { after, count });
  const ranges = rangesBetween(order, after, upTo).filter((each) => canHold(each, plan.all));
  if (ranges.length === 0) return { found: before, next: upTo };
  const part = { ranges: ranges.map(({ range }) => range), limit: limit + 1 - before.length };
  const found = [...before, ...(await (plan.inOrder.branches.length === 1 ? foundIn : mergedIn)(read, part))];
  const last = found[limit - 1];
  if (found.length > limit && last !== undefined) {
    return { found: found.slice(0, limit), next: keysetKey(order, last) };
  }
  return { found, next: upTo };
}

/** Key up to which no branch has more than its part of so many entries; `undefined` if none has as many. */
async function keyAt(
  { findings, plan: { inOrder }, order }: Read,
  { after, count }: { after: CursorKey | undefined; count: number },
): Promise<CursorKey | undefined> {
  if (count === Infinity) return undefined;
  const skip = Math.ceil(count / inOrder.branches.length) - 1;
  const ends = inOrder.branches.map(async (branch) => {
    const bounds = boundsAfter(inOrder, branch, after);
    if (bounds === undefined) return [];
    const read = { ...bounds, hint: inOrder.index.name, projection: fieldsOf(order), skip, limit: 1 };
    return findings.find<Key>({}, read).toArray();
  });
  const keys = (await Promise.all(ends)).flat().map((key) => keysetKey(order, key));
  return keys.toSorted((one, other) => compareKeys(order, one, other))[0];
}

/** Ranges of the order, one after the other, and how many Findings are wanted of them. */
interface Part {
  ranges: readonly object[];
  limit: number;
}

/** Findings of a part that meet all conditions, in its order; no others are read, unless by words. */
async function foundIn(
  { findings, plan: { all, inOrder }, order }: Read,
  { ranges, limit }: Part,
): Promise<FindingDocument[]> {
  const read = { sort: Object.fromEntries(order), hint: inOrder.index.name, limit, batchSize: limit + 1 };
  const among = inOrder.branches.map((branch) => branch.among);
  const parts = ranges.map((range) => ({ $and: [...among, range, all] }));
  return findings.find(anyOf(parts), { ...read, projection: NOT_SHOWN }).toArray();
}

/** Findings of a part in several branches, whose keys are merged. */
async function mergedIn({ findings, plan, order }: Read, { ranges, limit }: Part): Promise<FindingDocument[]> {
  const { all, inOrder } = plan;
  const options = { hint: inOrder.index.name, projection: fieldsOf(order), limit, batchSize: limit + 1 };
  const read = { ...options, sort: Object.fromEntries(order) };
  const branches = inOrder.branches.map(({ among }) =>
    findings.find<Key>(anyOf(ranges.map((range) => ({ $and: [among, range, all] }))), read).toArray(),
  );
  const keys = (await Promise.all(branches)).flat().map((key) => keysetKey(order, key));
  const first = keys.toSorted((one, other) => compareKeys(order, one, other)).slice(0, limit);
  return documentsOf(findings, plan, first);
}

/**
 * Condition that one of some parts is met. Each names all of its conditions, and has one range in front of the order:
 * the server then merges the parts in their order, as it reads them from the index.
 */
function anyOf(parts: readonly object[]): object {
  return parts.length === 1 ? (parts[0] ?? {}) : { $or: parts };
}

function fieldsOf(order: KeysetSort): Record<string, 1> {
  return Object.fromEntries(order.map(([field]) => [field, 1 as const]));
}
