import type { Clock } from '@clew/kernel';
import {
  createScheduledTasks,
  handleDueTasks,
  startTaskLoop,
  type Claimed,
  type Database,
  type TaskLoop,
  type HandleTasksOptions,
  type Outbox,
  type Transaction,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import { broughtAbout, type ActivityStore } from '../findings/activity/index.ts';
import { findingEvents } from '../findings/finding-events.ts';
import type { FindingHead } from '../findings/finding.ts';
import { occurrenceCollection } from '../findings/finding.model.ts';
import type { FindingStore } from '../findings/findings.store.ts';
import { findingTaskCollection, type FindingTaskDocument } from '../findings/tasks/index.ts';
import { changedCounts } from '../results/finding-counts.ts';
import type { ResultState } from '../results/result-state.ts';
import type { ResultStore } from '../results/results.store.ts';
import { findingCountOf, headOfState } from '../results/with-clusters.ts';

export interface FindingTasksDependencies {
  database: Database;
  results: ResultStore;
  findings: FindingStore;
  activities: ActivityStore;
  outbox: Outbox;
  clock: Clock;
  logger: Logger;
  /** Conversations recounted in one transaction. */
  pageSize?: number;
}

/** Runs the scheduled tasks of Findings. */
export interface FindingTasks {
  /** Runs due tasks once; returns the number of their rows. */
  round(): Promise<number>;
  start(): TaskLoop;
}

type Row = Claimed<FindingTaskDocument>;

export function createFindingTasks(deps: FindingTasksDependencies): FindingTasks {
  const { database, clock, logger } = deps;
  const collection = findingTaskCollection(database.connection);
  const rows = createScheduledTasks(collection, { leaseMs: 60_000, isInTurn: true });

  /** Runs a task in one transaction with the end of its row, so that it takes effect once. */
  async function see(tx: Transaction, row: Row): Promise<void> {
    const next = row.kind === 'snooze' ? await endSnooze(deps, tx, row) : await recountPage(deps, tx, row);
    await rows.settle(tx, [row], next === undefined ? undefined : { dueAt: next.dueAt });
    if (next === undefined) await collection.deleteOne({ _id: row._id, dueAt: null }, { session: tx });
    else await collection.updateOne({ _id: row._id }, { $set: { through: next.through } }, { session: tx });
  }

  const task: HandleTasksOptions<FindingTaskDocument> = {
    ...{ name: 'finding tasks', rows, clock, logger, limit: 20 },
    async handle(claimed, { heartbeat }) {
      for (const row of claimed) {
        await database.withTransaction((tx) => see(tx, row));
        heartbeat();
      }
    },
  };
  return { round: () => handleDueTasks(task), start: () => startTaskLoop(task) };
}

type Next = Required<Pick<FindingTaskDocument, 'through'>> & { dueAt: number };

/** Ends the snooze of a Finding if its time has come; otherwise returns when to look again. */
async function endSnooze(
  { findings, activities, outbox, clock }: FindingTasksDependencies,
  tx: Transaction,
  { projectId, findingId }: Row,
): Promise<Next | undefined> {
  const nowMs = clock.now();
  const before = await findings.get(projectId, findingId, tx);
  const until = before?.snooze?.until ?? null;
  if (before === undefined || until === null) return undefined;
  if (until > nowMs) return { dueAt: until, through: null };
  const after: FindingHead = { ...before, snooze: null, sequence: before.sequence + 1, updatedAt: nowMs };
  await findings.saveHead(tx, after);
  await activities.add(tx, broughtAbout([{ before, after }], nowMs));
  await outbox.appendMany(tx, findingEvents([{ before, after }], { requestIdOf: () => null, nowMs }));
  return undefined;
}

/**
 * Recounts the Findings of some conversations; returns the position from which to continue at once, if more are left.
 */
async function recountPage(
  { database, results, outbox, clock, pageSize = 100 }: FindingTasksDependencies,
  tx: Transaction,
  { projectId, findingId, through }: Row,
): Promise<Next | undefined> {
  const nowMs = clock.now();
  const page = await occurrenceCollection(database)
    .find({ projectId, findingId, ...(through == null ? {} : behind(through)) }, { session: tx })
    .project<{ _id: string; conversationId: string; firstDetectedAt: number }>({
      ...{ conversationId: 1, firstDetectedAt: 1 },
    })
    .sort({ firstDetectedAt: 1, _id: 1 })
    .limit(pageSize)
    .toArray();
  const last = page.at(-1);
  if (last === undefined) return undefined;
  const targets = page.map(({ conversationId }) => ({ projectId, conversationId, runs: [] }));
  const before = await results.load(tx, targets);
  const after = recounted(before);
  await results.saveConversations(tx, before, after);
  await outbox.appendMany(tx, changedCounts({ before, after, nowMs }));
  if (page.length < pageSize) return undefined;
  return { dueAt: nowMs, through: { firstDetectedAt: last.firstDetectedAt, id: last._id } };
}

function recounted(before: ResultState): ResultState {
  const headOf = headOfState(before);
  const conversations = [...before.conversations].map(([key, conversation]) => {
    const findingCount = findingCountOf(conversation.rules, headOf);
    if (findingCount === conversation.findingCount) return [key, conversation] as const;
    return [key, { ...conversation, findingCount, version: conversation.version + 1 }] as const;
  });
  return { ...before, conversations: new Map(conversations) };
}

function behind({ firstDetectedAt, id }: { firstDetectedAt: number; id: string }) {
  return { $or: [{ firstDetectedAt: { $gt: firstDetectedAt } }, { firstDetectedAt, _id: { $gt: id } }] };
}
