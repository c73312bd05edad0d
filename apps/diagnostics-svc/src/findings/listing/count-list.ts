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
import type { ListPlan, Way } from './list-plan.ts';
import { fewestOf, type ListSource } from './read-list.ts';

/** Number of Findings that one request looks at; those that were detected last. */
const MAX_LOOKED_AT = 12_000;
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

interface Row {
  _id: Partial<Record<FindingFacet, string | boolean>>;
  count: number;
}

/** Counts the Findings of a list by the values of fields, in one walk through an index. */
export async function countList(
  source: ListSource,
  plan: ListPlan,
  by: readonly FindingFacet[],
): Promise<FindingCounts> {
  const { all, isExact, readsDocuments } = plan;
  const few = isExact ? undefined : await fewestOf(source, plan);
  const { among, index } = few ?? wayToMany(plan);
  const hint = index.name;
  const maxLookedAt = readsDocuments ? MAX_DOCUMENTS_LOOKED_AT : MAX_LOOKED_AT;
  const isBounded = !isExact && few === undefined;
  const group = Object.fromEntries(by.map((facet) => [facet, `$${FIELDS[facet]}`]));
  const stages = [
    { $match: among },
    ...(isBounded ? [{ $limit: maxLookedAt }] : []),
    ...(isExact ? [] : [{ $match: all }]),
    { $limit: MAX_COUNTED_FINDINGS + 1 },
    { $group: { _id: group, count: { $sum: 1 } } },
  ];
  const [rows, lookedAt] = await Promise.all([
    source.findings.aggregate<Row>(stages, { hint }).toArray(),
    isBounded ? source.count(among, { hint, limit: maxLookedAt + 1 }) : 0,
  ]);
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  return {
    total: Math.min(total, MAX_COUNTED_FINDINGS),
    atLeast: total > MAX_COUNTED_FINDINGS || lookedAt > maxLookedAt,
    counts: Object.fromEntries(by.map((facet) => [facet, valueCountsOf(rows, facet)])),
  };
}

/** Way of a filter, if there is one, because all that it leads to meets at least that; otherwise the latest. */
function wayToMany({ ways, inOrder, readsDocuments }: ListPlan): Way {
  const byWord = readsDocuments ? ways.at(-1) : undefined;
  const byFacet = ways.find(({ index }) => index === BY_FACET);
  return byWord ?? byFacet ?? inOrder;
}

function valueCountsOf(rows: readonly Row[], facet: FindingFacet): { value: string | null; count: number }[] {
  const counts = new Map<string, number>((KNOWN_VALUES[facet] ?? []).map((value) => [value, 0]));
  for (const { _id, count } of rows) {
    const value = String(_id[facet] ?? '');
    counts.set(value, (counts.get(value) ?? 0) + count);
  }
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MAX_COUNTED_VALUES)
    .map(([value, count]) => ({ value: value === '' ? null : value, count }));
}
