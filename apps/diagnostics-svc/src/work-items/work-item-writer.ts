import type { Outbox, Transaction } from '@clew/persistence';
import { broughtAbout, type Activity, type ActivityStore } from '../findings/activity/index.ts';
import { findingEvents } from '../findings/finding-events.ts';
import type { FindingHead, StoredFinding } from '../findings/finding.ts';
import type { FindingStore } from '../findings/findings.store.ts';
import { withProgress } from './repair.ts';
import { workItemEvent, type ToldBy, type WorkItemChange } from './work-item-events.ts';
import { workItemView, type StoredWorkItem } from './work-item.ts';
import type { WorkItemStore } from './work-items.store.ts';

export interface WriterDependencies {
  items: WorkItemStore;
  findings: FindingStore;
  activities: ActivityStore;
  outbox: Outbox;
  /** Clean exposures that resolve a Finding of the project after its repair. */
  requiredExposuresOf: (tx: Transaction, projectId: string) => Promise<number>;
  /** Has an issue kept in sync from now on; called when it is known where it is. */
  follow?: (tx: Transaction, item: StoredWorkItem, nowMs: number) => Promise<void>;
}

export interface ItemMove {
  before: StoredWorkItem;
  after: StoredWorkItem;
  change: WorkItemChange;
}

export interface FindingWrite {
  before: StoredFinding;
  after: FindingHead;
  activities: readonly Activity[];
}

export type WorkItemWriter = ReturnType<typeof createWorkItemWriter>;

/** Writes work items together with their Findings, and what is told of both. */
export function createWorkItemWriter(deps: WriterDependencies) {
  const { items, findings, activities, outbox, requiredExposuresOf } = deps;

  /** Writes a Finding with its work item. */
  async function writeFinding(tx: Transaction, { before, after, activities: entries }: FindingWrite, by: ToldBy) {
    await findings.saveHead(tx, after);
    await activities.add(tx, entries);
    const { nowMs, actor } = by;
    await outbox.appendMany(tx, findingEvents([{ before, after }], { requestIdOf: () => by.requestId, nowMs, actor }));
    return { ...before, ...after };
  }

  async function tell(tx: Transaction, item: StoredWorkItem, change: WorkItemChange, by: ToldBy): Promise<void> {
    await outbox.appendMany(tx, [workItemEvent(item, change, by)]);
  }

  return {
    writeFinding,
    tell,

    /** Writes what a provider brought about, and what follows for the Finding. Returns the Finding. */
    async write(tx: Transaction, finding: StoredFinding, move: ItemMove, by: ToldBy): Promise<StoredFinding> {
      const { before, after, change } = move;
      if (before === after) return finding;
      await items.save(tx, after);
      const isKnown = after.externalId !== null && after.isPrimary;
      if (isKnown && after.externalId !== before.externalId) await deps.follow?.(tx, after, by.nowMs);
      if (before.sequence !== after.sequence) await tell(tx, after, change, by);
      if (!after.isPrimary) return finding;
      const requiredExposures = await requiredExposuresOf(tx, finding.projectId);
      const { nowMs } = by;
      const moved = withProgress(finding, { before, after, requiredExposures, nowMs });
      const head = { ...moved, workItem: workItemView(after) };
      return await writeFinding(
        tx,
        { before: finding, after: head, activities: broughtAbout([{ before: finding, after: head }], nowMs) },
        by,
      );
    },
  };
}
