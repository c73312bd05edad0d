import { ERASED_PARTS, type ErasedBatch, type ErasedPartName } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import {
  handleDueTasks,
  startTaskLoop,
  takeTurn,
  type Database,
  type TaskContext,
  type TaskLoop,
  type HandleTasksOptions,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import { conversationCollection, conversationKey, type CallTaken } from '../conversations/index.ts';
import { FIRST_POSITION, type ErasureDocument, type ErasurePosition } from './erasure.model.ts';
import type { ClaimedErasure, ErasureStore } from './erasures.store.ts';

/** Removes a batch of the data that one service holds of a conversation. */
export type ErasePart = (erasure: ErasureDocument, conversationId: string) => Promise<ErasedBatch>;

export interface ErasureLoopOptions {
  database: Database;
  erasures: ErasureStore;
  parts: Record<ErasedPartName, ErasePart>;
  clock: Clock;
  logger: Logger;
  /** Wait between the two rounds, after which no work is in progress that began before the tombstones were set. */
  settleMs: number;
}

/** Runs erasures to their end: a service that is away only delays a run, and is asked again until it answers. */
export function startErasureLoop(options: ErasureLoopOptions): TaskLoop {
  return startTaskLoop({ ...taskOf(options), pollMs: 1_000 });
}

/** Runs one round of the loop, for tests; returns the number of erasures that it claimed. */
export function eraseDue(options: ErasureLoopOptions): Promise<number> {
  return handleDueTasks(taskOf(options));
}

function taskOf(options: ErasureLoopOptions): HandleTasksOptions<ErasureDocument> {
  const { erasures, clock, logger } = options;
  return {
    ...{ name: 'erasure', rows: erasures.rows, clock, logger, limit: 1 },
    async handle(claimed, context) {
      for (const erasure of claimed) await runTurn(options, erasure, context);
    },
  };
}

/** Runs one turn. Related data to erase is stored first, before it can no longer be found. */
async function runTurn(options: ErasureLoopOptions, erasure: ClaimedErasure, context: TaskContext): Promise<void> {
  const { erasures, parts, clock, settleMs } = options;
  const found = await alsoErased(options, erasure);
  if (!(await erasures.widen(erasure, found))) return;
  const run = {
    ...erasure,
    subjects: [...new Set([...erasure.subjects, ...found.subjects])],
    taken: [...erasure.taken, ...found.taken],
  };
  await takeTurn(erasure, context, {
    ...{ notes: erasures.notes, clock, settleMs, first: FIRST_POSITION },
    async work(position) {
      const subject = run.subjects[position.subject] ?? run.conversationId;
      const { removed, done } = await parts[position.part](run, subject);
      return { removed, next: done ? after(position, run.subjects.length) : position };
    },
    end: () => erasures.end(erasure, clock.now()),
  });
}

/**
 * Finds conversations that are empty because this one has taken all their calls, and the calls that it has taken from
 * other conversations.
 */
async function alsoErased(
  { database }: ErasureLoopOptions,
  { projectId, conversationId }: ErasureDocument,
): Promise<{ subjects: string[]; taken: CallTaken[] }> {
  const conversations = conversationCollection(database.connection);
  const projection = { callsTaken: 1 } as const;
  const row = await conversations.findOne({ _id: conversationKey(projectId, conversationId) }, { projection });
  const taken = row?.callsTaken ?? [];
  const _id = { $in: [...new Set(taken.map(({ from }) => conversationKey(projectId, from)))] };
  const emptied = await conversations.find({ _id, listed: false }, { projection: { conversationId: 1 } }).toArray();
  const subjects = emptied.map((one) => one.conversationId);
  return { subjects, taken: taken.filter(({ from }) => !subjects.includes(from)) };
}

function after({ round, part, subject }: ErasurePosition, subjects: number): ErasurePosition | undefined {
  if (subject + 1 < subjects) return { round, part, subject: subject + 1 };
  const nextPart = ERASED_PARTS[ERASED_PARTS.indexOf(part) + 1];
  if (nextPart !== undefined) return { round, part: nextPart, subject: 0 };
  return round === 1 ? { ...FIRST_POSITION, round: 2 } : undefined;
}
