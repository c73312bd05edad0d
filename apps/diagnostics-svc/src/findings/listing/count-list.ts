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
import type { mongo } from 'mongoose';
import type { FindingDocument } from '../finding.model.ts';
import { SORTS } from './finding-order.ts';
import type { ListPlan } from './list-plan.ts';
import { fewestOf } from './read-list.ts';

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
  findings: mongo.Collection<FindingDocument>,
  plan: ListPlan,
  by: readonly FindingFacet[],
): Promise<FindingCounts> {
  const { all, inOrder, readsDocuments } = plan;
  const few = plan.isExact ? undefined : await fewestOf(findings, plan);
  const byWord = readsDocuments ? plan.ways.at(-1) : undefined;
  const { among, index } = few ?? byWord ?? inOrder;
  const maxLookedAt = readsDocuments ? MAX_DOCUMENTS_LOOKED_AT : MAX_LOOKED_AT;
  const group = Object.fromEntries(by.map((facet) => [facet, `$${FIELDS[facet]}`]));
  const options = { hint: index.name };
  const latest = index === inOrder.index ? [{ $sort: Object.fromEntries(SORTS.lastDetectedAt.order) }] : [];
  const rows = await findings
    .aggregate<Row>(
      [
        { $match: among },
        ...latest,
        ...(plan.isExact ? [] : [{ $limit: maxLookedAt }, { $match: all }]),
        { $limit: MAX_COUNTED_FINDINGS + 1 },
        { $group: { _id: group, count: { $sum: 1 } } },
      ],
      options,
    )
    .toArray();
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const sawAll =
    plan.isExact ||
    few !== undefined ||
    (await findings.countDocuments(among, { ...options, limit: maxLookedAt + 1 })) <= maxLookedAt;
  return {
    total: Math.min(total, MAX_COUNTED_FINDINGS),
    atLeast: total > MAX_COUNTED_FINDINGS || !sawAll,
    counts: Object.fromEntries(by.map((facet) => [facet, valueCountsOf(rows, facet)])),
  };
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
