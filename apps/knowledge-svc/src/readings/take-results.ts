import {
  MAX_SNAPSHOTS_OF_READ,
  providerKeyOf,
  readSnapshots,
  type ConversationSnapshot,
  type EnvelopeOf,
  type extractionCompleted,
  type extractionRequested,
  type RejectionReason,
  type Rejections,
} from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { derivedId, inParts, type Clock } from '@clew/kernel';
import { addedUp, reject } from '@clew/knowledge';
import type { Circuits, Database, Inbox, Outbox, Transaction } from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { GoalStore, StoredGoal } from '../goals/index.ts';
import { itemEvents, type StoredItem } from '../items/index.ts';
import { statementOf, vectorOf, type ItemMerger, type NewItem } from '../merging/index.ts';
import { checkedItem } from './check-quotes.ts';
import type { FollowSnapshots } from './follow-snapshots.ts';
import { afterFailure, afterRead, afterWaiting, ended, type Patience, type Reading } from './reading.ts';
import type { ReadingStore } from './readings.store.ts';

type Completed = EnvelopeOf<typeof extractionCompleted>;
type Outcome<Status> = Extract<Completed['data']['outcome'], { status: Status }>;

/** What a result has come to, for the backfills that wait for it. */
export interface TakenReading {
  reading: Reading;
  hasEnded: boolean;
  isFailed: boolean;
  itemsCreated: number;
  itemsMerged: number;
  rejected: Rejections;
}

export interface TakeResultsDependencies {
  database: Database;
  warehouse: ServiceClient;
  inbox: Inbox;
  readings: ReadingStore;
  goals: GoalStore;
  merger: ItemMerger;
  followSnapshots: FollowSnapshots;
  /** Of the providers of the projects. */
  circuits: Circuits;
  outbox: Outbox;
  clock: Clock;
  logger: Logger;
  patience: Patience;
  afterTaken(tx: Transaction, projectId: string, taken: readonly TakenReading[]): Promise<void>;
  /** Workers have so many less of each goal in hand. */
  afterHandedBack(projectId: string, counts: ReadonlyMap<string, number>): Promise<void>;
  /** Providers of a project answer that did not for a while. */
  afterRecovery(projectId: string): Promise<void>;
  /** Something is due. */
  wake(): void;
}

const NOTHING = { itemsCreated: 0, itemsMerged: 0, rejected: {} } as const;

/** Takes what workers have read: each message once, and all that comes of it in one transaction. */
export function createTakeResults(dependencies: TakeResultsDependencies) {
  const { database, inbox, readings, goals, outbox, clock, afterHandedBack, wake } = dependencies;

  async function takeProject(projectId: string, messages: readonly Completed[]): Promise<void> {
    const snapshots = await snapshotsOf(dependencies.warehouse, projectId, messages);
    const { handedBack, isRecovery } = await database.withTransaction(async (tx) => {
      const fresh = await inbox.accept(
        tx,
        messages.map(({ id }) => id),
      );
      const accepted = messages.filter(({ id }) => fresh.has(id));
      const known = new Map(
        await readings.getMany(
          tx,
          accepted.map(({ data }) => data.readingId),
        ),
      );
      const ofGoals = await goals.getMany(projectId, [...new Set(accepted.map(({ data }) => data.goalId))], tx);
      const taken: TakenReading[] = [];
      const changed: StoredItem[] = [];
      for (const message of accepted) {
        const reading = known.get(message.data.readingId);
        // What was asked for anew meanwhile has an answer of its own.
        if (reading?.state !== 'asked' || reading.rounds !== message.data.round) continue;
        const snapshot = snapshots.get(message.data.snapshotId);
        const one = await takeOne(tx, dependencies, { message, reading, snapshot, goal: ofGoals.get(reading.goalId) });
        known.set(reading.id, one.after);
        taken.push({ ...one, reading });
        changed.push(...one.changed);
      }
      await readings.save(tx, [...known.values()]);
      await dependencies.afterTaken(tx, projectId, taken);
      // Of an item that has changed several times the last telling holds.
      const last = new Map(changed.map((item) => [item.id, item]));
      const requestId = accepted[0]?.requestId ?? null;
      await outbox.appendMany(tx, itemEvents([...last.values()], { projectId, requestId, nowMs: clock.now() }));
      const answeredAgain = await noteAnswers(tx, dependencies.circuits, accepted, clock.now());
      return { handedBack: Map.groupBy(taken, ({ reading }) => reading.goalId), isRecovery: answeredAgain };
    });
    await afterHandedBack(projectId, new Map([...handedBack].map(([goalId, some]) => [goalId, some.length])));
    if (isRecovery) await dependencies.afterRecovery(projectId);
  }

  return async (messages: readonly Completed[]): Promise<void> => {
    for (const [projectId, some] of Map.groupBy(messages, (message) => message.projectId)) {
      await takeProject(projectId, some);
    }
    wake();
  };
}

/** Takes note of who answered, and who did not in time; tells whether somebody answers again. */
async function noteAnswers(
  tx: Transaction,
  circuits: Circuits,
  messages: readonly Completed[],
  nowMs: number,
): Promise<boolean> {
  const keyOf = ({ projectId, data }: Completed) => providerKeyOf(projectId, data.model);
  let isRecovery = false;
  for (const [key, ofProvider] of Map.groupBy(messages, keyOf)) {
    const late = ofProvider.filter(({ data }) => data.calls === 0 && isLate(data.outcome));
    // A call that was answered shows more than one that was not.
    if (ofProvider.some(({ data }) => data.calls > 0)) isRecovery = (await circuits.answered(tx, key)) || isRecovery;
    else await circuits.timedOut(tx, key, late.length, nowMs);
  }
  return isRecovery;
}

function isLate(outcome: Completed['data']['outcome']): boolean {
  return outcome.status === 'later' && outcome.isTimeout === true;
}

interface One {
  message: Completed;
  reading: Reading;
  snapshot: ConversationSnapshot | undefined;
  goal: StoredGoal | undefined;
}

interface TakenOne extends Omit<TakenReading, 'reading'> {
  after: Reading;
  changed: StoredItem[];
}

async function takeOne(tx: Transaction, dependencies: TakeResultsDependencies, one: One): Promise<TakenOne> {
  const { clock, patience, logger } = dependencies;
  const { outcome } = one.message.data;
  const nowMs = clock.now();
  const { reading } = one;
  if (outcome.status === 'read') return await takeRead(tx, dependencies, one, outcome);
  const unchanged = { ...NOTHING, changed: [] };
  if (outcome.status === 'waiting') {
    return { ...unchanged, after: afterWaiting(reading, patience, nowMs), hasEnded: false, isFailed: false };
  }
  const again = outcome.status === 'later' ? afterFailure(reading, outcome, nowMs) : undefined;
  if (again !== undefined) return { ...unchanged, after: again, hasEnded: false, isFailed: false };
  logger.warn({ reading: reading.id, reason: outcome.reason }, 'a conversation could not be read for a goal');
  return { ...unchanged, after: ended(reading), hasEnded: true, isFailed: true };
}

async function takeRead(
  tx: Transaction,
  { merger, followSnapshots, clock }: TakeResultsDependencies,
  { message, reading, snapshot, goal }: One,
  { items, rejected, newlyRead, isComplete }: Outcome<'read'>,
): Promise<TakenOne> {
  const nowMs = clock.now();
  const { model } = message.data;
  const after = afterRead(reading, newlyRead, isComplete, nowMs);
  const about = { after, hasEnded: after.state === 'idle', isFailed: false };
  // What was asked of it is another thing by now, or it is gone: nothing is kept of it.
  if (goal === undefined || goal.revision !== reading.goalRevision || goal.status === 'archived') {
    return { ...about, ...NOTHING, changed: [] };
  }
  const found: NewItem[] = [];
  const rejectedHere: Rejections = {};
  for (const item of items) {
    const checked = snapshot === undefined ? 'unknown_message' : newItemOf(goal, item, snapshot);
    if (typeof checked === 'string') reject(rejectedHere, checked);
    else found.push(checked);
  }
  const merged = await merger.add(tx, found, { model, nowMs });
  const followed = snapshot === undefined ? [] : await followSnapshots(tx, goal, snapshot, { model, nowMs });
  return {
    ...about,
    itemsCreated: merged.created,
    itemsMerged: merged.merged,
    rejected: addedUp(rejected, rejectedHere),
    changed: [...merged.changed, ...followed],
  };
}

/** The item as it is to be merged, or why its quotes do not hold. Its id follows from what it says. */
function newItemOf(
  { projectId, id: goalId }: StoredGoal,
  extracted: Outcome<'read'>['items'][number],
  snapshot: ConversationSnapshot,
): NewItem | RejectionReason {
  const checked = checkedItem(extracted, snapshot);
  if (typeof checked === 'string') return checked;
  const { title, content, kind, confidence, authority, embedding } = extracted;
  const statement = statementOf(content);
  const values = embedding === undefined ? undefined : vectorOf(embedding.vector);
  return {
    ...{ id: derivedId('kitm', projectId, goalId, statement.textKey), projectId, goalId },
    ...{ conversationId: snapshot.conversationId, title, content, kind, confidence, authority },
    ...{ evidence: checked.evidence, saidAt: checked.saidAt, statement },
    vector: embedding === undefined || values === undefined ? undefined : { model: embedding.model, values },
  };
}

/** Those in which something was read, by id; what is not there any more proves nothing. */
async function snapshotsOf(warehouse: ServiceClient, projectId: string, messages: readonly Completed[]) {
  const ids = messages.filter(({ data }) => data.outcome.status === 'read').map(({ data }) => data.snapshotId);
  const snapshots = new Map<string, ConversationSnapshot>();
  for (const snapshotIds of inParts([...new Set(ids)], () => 1, MAX_SNAPSHOTS_OF_READ)) {
    const call = { params: { projectId }, body: { snapshotIds } };
    for await (const snapshot of warehouse.lines(readSnapshots, call)) snapshots.set(snapshot.snapshotId, snapshot);
  }
  return snapshots;
}

/** Ends what ended in the dead letters. When the command is sent again, its result is too late. */
export function createEndGivenUp({
  database,
  readings,
  afterTaken,
}: Pick<TakeResultsDependencies, 'database' | 'readings' | 'afterTaken'>) {
  return async ({ projectId, data }: EnvelopeOf<typeof extractionRequested>): Promise<void> => {
    await database.withTransaction(async (tx) => {
      const reading = (await readings.getMany(tx, [data.readingId])).get(data.readingId);
      if (reading?.state !== 'asked' || reading.rounds !== data.round) return;
      await readings.save(tx, [ended(reading)]);
      await afterTaken(tx, projectId, [{ reading, hasEnded: true, isFailed: true, ...NOTHING }]);
    });
  };
}
