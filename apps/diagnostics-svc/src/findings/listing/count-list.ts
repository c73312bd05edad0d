import {
  MAX_COUNTED_FINDINGS,
  MAX_COUNTED_VALUES,
  RESOLUTION_STATUSES,
  REVIEW_STATUSES,
  SEVERITIES,
  WORK_ITEM_PRESENCES,
  type FindingCounts,
  type FindingFacet,
} from '@clew/contracts';
import { BY_FACET } from './finding-order.ts';
import type { Conditions, ListPlan, Way } from './list-plan.ts';
import { fewestOf, type ListSource } from './read-list.ts';

/** Number of Findings whose documents one request looks at; those that were detected last. */
const MAX_DOCUMENTS_LOOKED_AT = 5_000;

const FIELDS: Readonly<Record<FindingFacet, string>> = {
  ...{ severity: 'severity', reviewStatus: 'reviewStatus', resolutionStatus: 'resolutionStatus' },
  ...{ ruleId: 'ruleId', categoryKey: 'categoryKey', assignee: 'listing.assignee', agent: 'listing.agent' },
  ...{ snoozed: 'listing.snoozed', workItem: 'listing.workItem' },
};

/** Values that are answered also if no Finding has them. */
const KNOWN_VALUES: Partial<Record<FindingFacet, readonly string[]>> = {
  ...{ severity: SEVERITIES, reviewStatus: REVIEW_STATUSES, resolutionStatus: RESOLUTION_STATUSES },
  ...{ snoozed: ['true', 'false'], workItem: WORK_ITEM_PRESENCES },
};

/** Fields of entries that have few values, all of them known. */
const FIELDS_WITH_FEW_VALUES: ReadonlySet<string> = new Set([
  'listed',
  ...Object.keys(KNOWN_VALUES).map((facet) => FIELDS[facet as FindingFacet]),
]);

type Value = string | boolean;
type Values = Partial<Record<FindingFacet, Value>>;

/** Findings with the same values. */
interface Cell {
  values: Values;
  count: number;
}

/** Counts, and whether there is more than was looked at. */
interface Counted {
  cells: Cell[];
  isWhole: boolean;
}

/** Counts the Findings of a list by the values of fields, in one walk through an index. */
export async function countList(
  source: ListSource,
  plan: ListPlan,
  by: readonly FindingFacet[],
): Promise<FindingCounts> {
  const group = Object.fromEntries(by.map((facet) => [facet, `$${FIELDS[facet]}`]));
  const few = plan.isExact ? undefined : await fewestOf(source, plan);
  const { cells, isWhole } =
    few !== undefined || plan.isExact
      ? await countAll(source, plan, { way: few?.way ?? plan.inOrder, group })
      : await (plan.readsDocuments ? countDocuments : countEntries)(source, plan, group);
  const total = cells.reduce((sum, { count }) => sum + count, 0);
  return {
    total: Math.min(total, MAX_COUNTED_FINDINGS),
    atLeast: !isWhole || total > MAX_COUNTED_FINDINGS,
    counts: Object.fromEntries(by.map((facet) => [facet, valueCountsOf(cells, facet)])),
  };
}

/** Counts all that a way leads to, up to the bound of what is counted. */
async function countAll(
  { findings }: ListSource,
  { all, isExact }: ListPlan,
  { way: { among, index }, group }: { way: Way; group: object },
): Promise<Counted> {
  const stages = [
    { $match: isExact ? among : { ...among, $and: [all] } },
    { $limit: MAX_COUNTED_FINDINGS + 1 },
    { $group: { _id: group, count: { $sum: 1 } } },
  ];
  const rows = await findings.aggregate<{ _id: Values; count: number }>(stages, { hint: index.name }).toArray();
  return { cells: rows.map(({ _id: values, count }) => ({ values, count })), isWhole: true };
}

/**
 * Looks at the latest entries of an index, and groups them also by what the other conditions are about, which says how
 * many were looked at.
 */
async function countEntries({ findings }: ListSource, plan: ListPlan, group: object): Promise<Counted> {
  const { among, index } = wayToMany(plan);
  const checks = checksOf(plan.all, among);
  const checked = Object.fromEntries(checks.map(({ key }, check) => [`${CHECK}${check}`, key]));
  const stages = [
    { $match: among },
    { $limit: MAX_COUNTED_FINDINGS + 1 },
    { $group: { _id: { ...group, ...checked }, count: { $sum: 1 } } },
  ];
  const rows = await findings
    .aggregate<{ _id: Record<string, Value>; count: number }>(stages, { hint: index.name })
    .toArray();
  const lookedAt = rows.reduce((sum, { count }) => sum + count, 0);
  const cells = rows
    .filter(({ _id: values }) => checks.every(({ isMet }, check) => isMet(values[`${CHECK}${check}`])))
    .map(({ _id: values, count }) => ({ values, count }));
  return { cells, isWhole: lookedAt <= MAX_COUNTED_FINDINGS };
}

/** Looks at the latest documents, because words are compared on documents. */
async function countDocuments({ findings, count }: ListSource, plan: ListPlan, group: object): Promise<Counted> {
  const { among, index } = wayToMany(plan);
  const hint = index.name;
  const stages = [
    { $match: among },
    { $limit: MAX_DOCUMENTS_LOOKED_AT },
    { $match: plan.all },
    { $group: { _id: group, count: { $sum: 1 } } },
  ];
  const [rows, lookedAt] = await Promise.all([
    findings.aggregate<{ _id: Values; count: number }>(stages, { hint }).toArray(),
    count(among, { hint, limit: MAX_DOCUMENTS_LOOKED_AT + 1 }),
  ]);
  const cells = rows.map(({ _id: values, ...row }) => ({ values, count: row.count }));
  return { cells, isWhole: lookedAt <= MAX_DOCUMENTS_LOOKED_AT };
}

/** Name of a field of a group that a condition is about; no facet begins with it. */
const CHECK = 'check';

/** Condition on what entries are grouped by. */
interface Check {
  key: object | string;
  isMet(value: Value | undefined): boolean;
}

/**
 * Conditions of a list without words that a way does not meet already. A field with few values is a part of the group
 * as it is: the server groups by plain fields twice as fast as by expressions.
 */
function checksOf(all: Conditions, among: Conditions): Check[] {
  return Object.entries(all)
    .filter(([field, condition]) => among[field] !== condition)
    .map(([field, condition]): Check => {
      const values = valuesOf(condition);
      if (values !== undefined && FIELDS_WITH_FEW_VALUES.has(field)) {
        return { key: `$${field}`, isMet: (value) => values.includes(value) };
      }
      return { key: expressionOf(field, condition), isMet: (value) => value === true };
    });
}

/** Values that a condition allows; `undefined` if it is a range. */
function valuesOf(condition: unknown): readonly unknown[] | undefined {
  if (typeof condition !== 'object' || condition === null) return [condition];
  return '$in' in condition ? (condition.$in as readonly unknown[]) : undefined;
}

function expressionOf(field: string, condition: unknown): object {
  if (typeof condition !== 'object' || condition === null) return { $eq: [`$${field}`, condition] };
  const comparisons = Object.entries(condition);
  return { $and: comparisons.map(([operator, operand]) => ({ [operator]: [`$${field}`, operand] })) };
}

/** Way of a filter, if there is one, because all that it leads to meets at least that; otherwise the latest. */
function wayToMany({ ways, inOrder, readsDocuments }: ListPlan): Way {
  const byWord = readsDocuments ? ways.at(-1) : undefined;
  const byFacet = ways.find(({ index }) => index === BY_FACET);
  return byWord ?? byFacet ?? inOrder;
}

function valueCountsOf(cells: readonly Cell[], facet: FindingFacet): { value: string | null; count: number }[] {
  const counts = new Map<string, number>((KNOWN_VALUES[facet] ?? []).map((value) => [value, 0]));
  for (const { values, count } of cells) {
    const value = String(values[facet] ?? '');
    counts.set(value, (counts.get(value) ?? 0) + count);
  }
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MAX_COUNTED_VALUES)
    .map(([value, count]) => ({ value: value === '' ? null : value, count }));
}
