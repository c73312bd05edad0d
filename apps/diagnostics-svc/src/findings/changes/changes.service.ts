import type { Finding, FindingChange } from '@clew/contracts';
import { AppError, notFound, type Clock } from '@clew/kernel';
import type { Database, Outbox, Transaction } from '@clew/persistence';
import { newActivity, type Activity, type ActivityStore, type Actor } from '../activity/index.ts';
import { alreadyMerged } from '../clusters/merge.ts';
import { findingEvents } from '../finding-events.ts';
import { findingView } from '../finding-view.ts';
import type { FindingStore } from '../findings.store.ts';
import type { StoredFinding } from '../finding.ts';
import type { FindingTaskStore } from '../tasks/index.ts';
import type { ExposureStore } from '../verification/index.ts';
import { changeFinding } from './change-finding.ts';

export interface ChangesDependencies {
  database: Database;
  findings: FindingStore;
  activities: ActivityStore;
  outbox: Outbox;
  clock: Clock;
  tasks: FindingTaskStore;
  exposures: ExposureStore;
  /** Address of the Workbench. */
  publicUrl?: string | undefined;
}

export interface FindingKey {
  projectId: string;
  findingId: string;
}

export interface Requester {
  actor: Actor;
  requestId: string;
}

export interface ChangeOutcome {
  findingId: string;
  outcome: 'updated' | 'unchanged' | 'refused';
  error?: AppError;
}

export type ChangesService = ReturnType<typeof createChangesService>;

/**
 * Applies people's changes to Findings. A change and a result that write the same Finding conflict, and one runs again.
 */
export function createChangesService(deps: ChangesDependencies) {
  const { database, findings, activities, outbox, tasks, exposures, clock } = deps;

  async function changed(tx: Transaction, before: StoredFinding, change: FindingChange, by: Requester) {
    const nowMs = clock.now();
    if (before.mergedInto !== undefined) throw alreadyMerged(before);
    const workItem = before.workItem ?? null;
    const { head, activities: entries } = changeFinding(before, change, { workItem, actor: by.actor, nowMs });
    if (head === before) return before;
    await findings.saveHead(tx, head);
    await activities.add(tx, entries);
    if (before.verification !== null && head.verification === null) await exposures.clear(tx, [head]);
    const requestIdOf = () => by.requestId;
    const { actor } = by;
    await outbox.appendMany(tx, findingEvents([{ before, after: head }], { requestIdOf, nowMs, actor }));
    const { projectId, id, snooze } = head;
    const endsAt = snooze === before.snooze ? null : (snooze?.until ?? null);
    if (endsAt !== null) await tasks.endSnooze(tx, projectId, id, endsAt);
    return { ...before, ...head };
  }

  async function require(tx: Transaction, { projectId, findingId }: FindingKey): Promise<StoredFinding> {
    const finding = await findings.get(projectId, findingId, tx);
    if (finding === undefined) throw notFound('FINDING_NOT_FOUND', 'The Finding does not exist');
    return finding;
  }

  return {
    /** `check` may throw for the Finding that is about to be changed. */
    change: (
      key: FindingKey,
      change: FindingChange,
      { check, ...by }: Requester & { check: (current: StoredFinding) => void },
    ): Promise<StoredFinding> =>
      database.withTransaction(async (tx) => {
        const before = await require(tx, key);
        check(before);
        return changed(tx, before, change, by);
      }),

    /** Changes each Finding in its own transaction, so that a refused one does not prevent the others. */
    async changeMany(projectId: string, findingIds: readonly string[], change: FindingChange, by: Requester) {
      const outcomes: ChangeOutcome[] = [];
      for (const findingId of findingIds) {
        outcomes.push(
          await database
            .withTransaction(async (tx): Promise<ChangeOutcome> => {
              const before = await require(tx, { projectId, findingId });
              const after = await changed(tx, before, change, by);
              return { findingId, outcome: after === before ? 'unchanged' : 'updated' };
            })
            .catch((error: unknown): ChangeOutcome => {
              if (!(error instanceof AppError)) throw error;
              return { findingId, outcome: 'refused', error };
            }),
        );
      }
      return outcomes;
    },

    comment: (
      key: FindingKey,
      text: string,
      { actor }: Requester,
      inTransaction: (tx: Transaction, comment: Activity) => Promise<void>,
    ): Promise<Activity> =>
      database.withTransaction(async (tx) => {
        const finding = await require(tx, key);
        const comment = newActivity(finding, { kind: 'comment', text }, { actor, nowMs: clock.now() });
        await activities.add(tx, [comment]);
        await inTransaction(tx, comment);
        return comment;
      }),

    viewOf: (finding: StoredFinding): Finding => findingView(finding, clock.now(), deps.publicUrl),
  };
}
