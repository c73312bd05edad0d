import type { FindingSort } from '@clew/contracts';
import { takeSlice, type CursorKey, type Slice, type SliceRequest } from '@clew/kernel';
import { compareKeys, keysetFilter, keysetKey, type KeysetSort } from '@clew/persistence';
import type { mongo } from 'mongoose';
import type { FindingDocument } from '../finding.model.ts';
import { DEFAULT_SORT, SORTS } from './finding-order.ts';
import type { ListPlan, Way } from './list-plan.ts';

/**
 * Number of Findings up to which they are found by a filter and sorted here; with more, the order of the list soon
 * yields a page.
 */
export const MAX_FEW = 2_000;
/** Same if the documents are read, which takes longer than the index alone. */
const MAX_FEW_DOCUMENTS = 1_000;
/** Number of Findings that one request looks at in the order of the list. */
export const MAX_LOOKED_AT = 10_000;
const MAX_DOCUMENTS_LOOKED_AT = 1_000;

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
export async function readFew(
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
  { all, inOrder, isExact, readsDocuments }: ListPlan,
  sort: FindingSort,
  { limit, after }: SliceRequest,
): Promise<Slice<string>> {
  const { order } = SORTS[sort];
  const { among, index } = inOrder;
  const rest = after === undefined ? among : { $and: [among, keysetFilter(order, after)] };
  const maxLookedAt = readsDocuments ? MAX_DOCUMENTS_LOOKED_AT : MAX_LOOKED_AT;
  const options = { hint: index.name };
  const found = await findings
    .aggregate<Key>(
      [
        { $match: rest },
        { $sort: Object.fromEntries(order) },
        ...(isExact ? [] : [{ $limit: maxLookedAt }, { $match: all }]),
        { $limit: limit + 1 },
        { $project: fieldsOf(order) },
      ],
      options,
    )
    .toArray();
  const keys = found.slice(0, limit).map((key) => keysetKey(order, key));
  const items = keys.map(idOf);
  if (found.length > limit) return { items, next: keys.at(-1) };
  if (isExact) return { items, next: undefined };
  const [last] = await findings
    .find<Key>(rest, { ...options, sort: Object.fromEntries(order), projection: fieldsOf(order) })
    .skip(maxLookedAt - 1)
    .limit(1)
    .toArray();
  return { items, next: last === undefined ? undefined : keysetKey(order, last) };
}

function fieldsOf(order: KeysetSort): Record<string, 1> {
  return Object.fromEntries(order.map(([field]) => [field, 1 as const]));
}

function idOf(key: CursorKey): string {
  return String(key.at(-1));
}
