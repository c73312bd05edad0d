import type { Outbox, Transaction } from '@clew/persistence';
import type { ActivityStore } from '../findings/activity/index.ts';
import { createPaceStore } from './pace.store.ts';
import { readFor } from './repair.ts';
import { createTrackerCalls } from './tracker-calls.ts';
import { createWorkItemRunner, type RunnerDependencies } from './work-item-runner.ts';
import { createWorkItemWriter } from './work-item-writer.ts';
import type { StoredWorkItem, TimedReading } from './work-item.ts';
import { createWorkItemStore, type IssueKey } from './work-items.store.ts';
import { createWorkItemsService, type WorkItemsDependencies } from './work-items.service.ts';

export interface WorkItemsRoomDependencies
  extends
    Pick<RunnerDependencies, 'database' | 'findings' | 'clock' | 'logger' | 'publicUrl'>,
    Pick<WorkItemsDependencies, 'connectors' | 'cursors'> {
  activities: ActivityStore;
  outbox: Outbox;
  requiredExposuresOf: (tx: Transaction, projectId: string) => Promise<number>;
  follow?: (tx: Transaction, item: StoredWorkItem, nowMs: number) => Promise<void>;
}

/** Issue as a provider showed it, for the work items that it belongs to. */
export interface IssueReadingOf extends IssueKey, TimedReading {}

export type WorkItems = ReturnType<typeof createWorkItems>;

/** Creates everything that work items need. */
export function createWorkItems(deps: WorkItemsRoomDependencies) {
  const { database, connectors, findings, clock } = deps;
  const items = createWorkItemStore(database);
  const paces = createPaceStore(database);
  const writer = createWorkItemWriter({ ...deps, items });
  const calls = createTrackerCalls({ connectors, paces, now: () => clock.now() });
  const runner = createWorkItemRunner({ ...deps, items, writer, calls, paces });
  return {
    items: createWorkItemsService({ ...deps, items, writer, runner, calls }),
    runner,
    calls,
    paces,

    /** Makes the next sync of an issue due now, in the transaction that remembers what named it. */
    onIssueTouched: (tx: Transaction, issue: IssueKey) => items.touch(tx, issue, clock.now()),

    /**
     * Applies what a provider showed of an issue to the work items that it belongs to. Returns how many of them changed;
     * nothing is written for the others.
     */
    async applyReading({ reading, readAtMs, ...issue }: IssueReadingOf): Promise<number> {
      const known = await items.ofIssue(issue);
      if (known.length === 0) return 0;
      return await database.withTransaction(async (tx) => {
        let changed = 0;
        for (const before of await items.ofIssue(issue, tx)) {
          const finding = await findings.get(issue.projectId, before.findingId, tx);
          if (finding === undefined) continue;
          const nowMs = clock.now();
          const { item: after } = readFor(finding, before, { reading, readAtMs }, nowMs);
          if (after.sequence === before.sequence) continue;
          changed += 1;
          await writer.write(tx, finding, { before, after, change: 'updated' }, { requestId: null, nowMs });
        }
        return changed;
      });
    },
  };
}
