import type { FindingFilter, FindingSort } from '@clew/contracts';
import type { Database } from '@clew/persistence';
import { findingCollection, occurrenceModel } from './finding.model.ts';
import { planOf, type ListPlan } from './listing/index.ts';

/** Plans lists; one of a conversation has a single way, to the few Findings that it shows. */
export function createPlanOfList(database: Database) {
  const findings = findingCollection(database);

  /** Ids of the Findings that a conversation shows; a merged one is replaced by its root. */
  async function idsShownBy(projectId: string, conversationId: string): Promise<string[]> {
    const occurrences = occurrenceModel(database.connection);
    const shown = await occurrences.find({ projectId, conversationId }, { findingId: 1 }).lean();
    const ids = [...new Set(shown.map(({ findingId }) => findingId))];
    const found = await findings
      .find<{ _id: string; rootId?: string }>(
        { projectId, _id: { $in: ids } },
        { projection: { rootId: 1 }, hint: { _id: 1 } },
      )
      .toArray();
    return [...new Set(found.map(({ _id, rootId }) => rootId ?? _id))];
  }

  return async (
    projectId: string,
    { conversationId, ...filter }: FindingFilter,
    sort?: FindingSort,
  ): Promise<ListPlan> => {
    const plan = planOf(projectId, filter, sort);
    if (conversationId === undefined) return plan;
    const shown = { _id: { $in: await idsShownBy(projectId, conversationId) } };
    const way = { index: { name: '_id_', key: { _id: 1 } as const }, among: { projectId, ...shown } };
    return { ...plan, all: { ...plan.all, ...shown }, isExact: false, ways: [way] };
  };
}
