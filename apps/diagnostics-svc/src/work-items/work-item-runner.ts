import type { Clock } from '@clew/kernel';
import type { TrackerCall } from '@clew/issue-trackers';
import {
  ClaimLostError,
  createProjectTurns,
  createScheduledTasks,
  handleDueTasks,
  startTaskLoop,
  type Claimed,
  type Database,
  type HandleTasksOptions,
  type TaskLoop,
  type Transaction,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { FindingStore } from '../findings/findings.store.ts';
import { advance, type Ending } from './advance.ts';
import type { PaceStore } from './pace.store.ts';
import type { TrackerCalls } from './tracker-calls.ts';
import { workItemCollection, type WorkItemDocument } from './work-item.model.ts';
import type { ToldBy } from './work-item-events.ts';
import type { WorkItemWriter } from './work-item-writer.ts';
import { withHeartbeats } from './with-heartbeats.ts';
import { itemOf, type WorkItemStore } from './work-items.store.ts';

export interface RunnerDependencies {
  database: Database;
  items: WorkItemStore;
  findings: FindingStore;
  writer: WorkItemWriter;
  calls: TrackerCalls;
  paces: PaceStore;
  clock: Clock;
  logger: Logger;
  publicUrl: string;
}

/** Works on work items that are due: those that wait for their issue, and those whose issue was touched. */
export interface WorkItemRunner {
  /** Lease of a claim, which a new work item is born with. */
  readonly leaseMs: number;
  /** Takes a claimed work item a step further, within the inline time. */
  inline(row: Claimed<WorkItemDocument>, requestId: string): Promise<void>;
  /** Claims a work item that is due and takes it a step further, unless another process does. */
  inlineById(workItemId: string, requestId: string): Promise<void>;
  /** Runs due work items once; returns their number. */
  round(): Promise<number>;
  start(): TaskLoop;
}

/** Longer than the inline time, and than the pause between two heartbeats. */
const LEASE_MS = 15_000;
/** Longest time that a request waits for the provider. */
export const INLINE_MS = 10_000;
const CALL_MS = 25_000;
/** Work items in hand in all processes, and of one project: a slow provider holds up its own project only. */
const CAPACITY = { total: 64, ofProject: 4 };
const CONCURRENCY = 16;

type Row = Claimed<WorkItemDocument>;

/** Work items as scheduled tasks, with projects in turn. */
export function workItemRows({ connection }: Database) {
  const collection = workItemCollection(connection);
  const rows = createScheduledTasks(collection, { leaseMs: LEASE_MS });
  return { rows, turns: createProjectTurns({ collection, rows, capacity: () => CAPACITY }) };
}

export function createWorkItemRunner(deps: RunnerDependencies): WorkItemRunner {
  const { database, items, clock, logger } = deps;
  const { rows, turns } = workItemRows(database);

  async function settle(tx: Transaction, row: Row, ending: Ending | undefined, by: ToldBy): Promise<void> {
    const dueAt = ending?.dueAt ?? null;
    await rows.settle(tx, [row], dueAt === null ? undefined : { dueAt });
    const before = await items.get(row.projectId, row._id, tx);
    if (before === undefined || ending === undefined) return;
    const finding = await deps.findings.get(before.projectId, before.findingId, tx);
    if (finding === undefined) return await items.remove(tx, before.projectId, before.id);
    await deps.writer.write(tx, finding, { before, after: ending.apply(before, finding), change: 'updated' }, by);
  }

  async function step(row: Row, call: TrackerCall, requestId: string | null): Promise<void> {
    const item = itemOf(row);
    const finding = await deps.findings.get(row.projectId, row.findingId);
    const noteSending = (sent: typeof item) => items.noteSending(sent, row.claim);
    const advancing = { ...deps, now: () => clock.now(), noteSending };
    const ending = finding === undefined ? GONE : await advance(advancing, item, finding, call);
    await database.withTransaction((tx) => settle(tx, row, ending, { requestId, nowMs: clock.now() }));
  }

  async function inline(row: Row, requestId: string): Promise<void> {
    try {
      await step(row, { signal: AbortSignal.timeout(INLINE_MS), deadlineMs: INLINE_MS }, requestId);
    } catch (error) {
      // The intent is committed: the row is taken up again once its lease is over.
      if (!(error instanceof ClaimLostError))
        logger.warn({ err: error, workItemId: row._id }, 'a work item has to wait');
    }
  }

  const task: HandleTasksOptions<WorkItemDocument> = {
    ...{ name: 'work items', rows: turns.rows, clock, logger, limit: 1 },
    async handle(claimed, context) {
      for (const row of claimed) {
        await withHeartbeats(context, (signal) => step(row, { signal, deadlineMs: CALL_MS }, null));
      }
    },
  };
  return {
    leaseMs: LEASE_MS,
    inline,
    async inlineById(workItemId, requestId) {
      const row = await rows.claimOne(workItemId, clock.now());
      if (row !== undefined) await inline(row, requestId);
    },
    round: () => handleDueTasks(task),
    start: () => startTaskLoop({ ...task, concurrency: CONCURRENCY }),
  };
}

/** Ending of work for a Finding that was erased. */
const GONE: Ending = { apply: (item) => item, dueAt: null };
