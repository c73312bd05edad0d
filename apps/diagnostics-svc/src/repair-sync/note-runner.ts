import type { TrackerCall } from '@clew/issue-trackers';
import type { Clock } from '@clew/kernel';
import {
  createProjectTurns,
  createScheduledTasks,
  handleDueTasks,
  startTaskLoop,
  type Claimed,
  type Database,
  type HandleTasksOptions,
  type ScheduledTasks,
  type TaskLoop,
  type Transaction,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import { newActivity, OWN_ACTOR, type ActivityStore } from '../findings/activity/index.ts';
import type { FindingStore } from '../findings/findings.store.ts';
import { issueNoteCollection, type IssueNoteDocument } from '../findings/verification/index.ts';
import type { WorkItemStore } from '../work-items/index.ts';
import { withHeartbeats } from '../work-items/index.ts';
import { makeNote, type NoteDependencies, type NoteStep, type NoteSubject } from './make-note.ts';

export interface NoteRunnerDependencies extends Omit<NoteDependencies, 'now' | 'noteSending'> {
  database: Database;
  items: Pick<WorkItemStore, 'get' | 'touch'>;
  findings: Pick<FindingStore, 'get'>;
  activities: Pick<ActivityStore, 'add'>;
  clock: Clock;
  logger: Logger;
}

/** Makes the comments that issues are due. */
export interface NoteRunner {
  readonly rows: ScheduledTasks<IssueNoteDocument>;
  /** Takes due notes a step further; returns their number. */
  round(): Promise<number>;
  start(): TaskLoop;
}

const LEASE_MS = 30_000;
const CALL_MS = 25_000;
const BEHIND_ANOTHER_MS = 1_000;
/** Notes in hand in all processes, and of one project. */
const CAPACITY = { total: 32, ofProject: 2 };
const CONCURRENCY = 4;

type Row = Claimed<IssueNoteDocument>;

export function createNoteRunner(deps: NoteRunnerDependencies): NoteRunner {
  const { database, items, findings, activities, clock, logger } = deps;
  const notes = issueNoteCollection(database.connection);
  const rows = createScheduledTasks(notes, { leaseMs: LEASE_MS });
  const turns = createProjectTurns({ collection: notes, rows, capacity: () => CAPACITY });

  /** Finds what the note is about; undefined if it is never made: its work item was replaced, abandoned or erased. */
  async function subjectOf(note: Row): Promise<NoteSubject | undefined> {
    const item = await items.get(note.projectId, note.workItemId);
    if (item === undefined || !item.isPrimary || item.externalId === null) return undefined;
    const finding = await findings.get(note.projectId, note.findingId);
    return finding && { note, item: { ...item, externalId: item.externalId }, finding };
  }

  async function isBehindAnother({ _id, projectId, workItemId, createdAt }: Row): Promise<boolean> {
    // Ids are in the order in which they were made, also within a millisecond.
    const before = [{ createdAt: { $lt: createdAt } }, { createdAt, _id: { $lt: _id } }];
    const earlier = { projectId, workItemId, $or: before };
    return (await notes.findOne(earlier, { projection: { _id: 1 } })) !== null;
  }

  async function step(row: Row, call: TrackerCall): Promise<void> {
    const subject = await subjectOf(row);
    const nowMs = clock.now();
    const next = await stepOf(row, subject, call);
    await database.withTransaction(async (tx) => {
      await rows.settle(tx, [row], next.kind === 'next' ? { dueAt: next.dueAt } : undefined);
      if (next.kind === 'next') {
        if (Object.keys(next.set).length > 0)
          await notes.updateOne({ _id: row._id }, { $set: next.set }, { session: tx });
        return;
      }
      await notes.deleteOne({ _id: row._id }, { session: tx });
      if (subject !== undefined) await ended(tx, subject, next, nowMs);
    });
  }

  async function stepOf(row: Row, subject: NoteSubject | undefined, call: TrackerCall): Promise<NoteStep> {
    if (subject === undefined) return { kind: 'ended', isChanged: false };
    // The story of a Finding is told in its order.
    if (await isBehindAnother(row)) return { kind: 'next', dueAt: clock.now() + BEHIND_ANOTHER_MS, set: {} };
    const noteSending = async (sentAt: number) => {
      const { matchedCount } = await notes.updateOne({ _id: row._id, claim: row.claim }, { $set: { sentAt } });
      return matchedCount > 0;
    };
    return await makeNote({ ...deps, now: () => clock.now(), noteSending }, subject, call);
  }

  /** Tells what became of a note: a reopened issue is read at once, and the Finding says what could not be made. */
  async function ended(
    tx: Transaction,
    { item, finding, note }: NoteSubject,
    end: Exclude<NoteStep, { kind: 'next' }>,
    nowMs: number,
  ): Promise<void> {
    const { projectId, connectorId, externalId } = item;
    if (end.kind === 'ended') {
      if (end.isChanged) await items.touch(tx, { projectId, connectorId, externalId }, nowMs);
      return;
    }
    const what = note.isMade
      ? 'The issue could not be reopened'
      : `The comment that it has ${note.news.kind} was not made`;
    const text = `${item.externalKey ?? externalId}: ${what}. ${end.reason}`;
    await activities.add(tx, [newActivity(finding, { kind: 'comment', text }, { actor: OWN_ACTOR, nowMs })]);
  }

  const task: HandleTasksOptions<IssueNoteDocument> = {
    ...{ name: 'notes on issues', rows: turns.rows, clock, logger, limit: 1 },
    async handle(claimed, context) {
      for (const row of claimed) {
        await withHeartbeats(context, (signal) => step(row, { signal, deadlineMs: CALL_MS }));
      }
    },
  };
  return {
    rows: turns.rows,
    round: () => handleDueTasks(task),
    start: () => startTaskLoop({ ...task, concurrency: CONCURRENCY }),
  };
}
