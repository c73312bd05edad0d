import {
  MAX_SNAPSHOTS_OF_READ,
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
import { addedUp, endOfDate, reject, startOfDate } from '@clew/knowledge';
import {
  createTakeAnswers,
  isAnswered,
  type Circuits,
  type Database,
  type Inbox,
  type Outbox,
  type Transaction,
} from '@clew/persistence';
import { vectorOf } from '@clew/similarity';
import { ThreadDeadlineError, type Logger } from '@clew/runtime';
import type { GoalStore, StoredGoal } from '../goals/index.ts';
import { itemEvents, type StoredItem } from '../items/index.ts';
import { statementOf, type ItemMerger, type NewItem } from '../merging/index.ts';
import type { CheckQuotes } from './check-in-thread.ts';
import type { CheckedItem } from './check-quotes.ts';
import type { Followed, FollowSnapshots } from './follow-snapshots.ts';
import { afterFailure, afterRead, afterWaiting, ended, type Patience, type Extraction } from './extraction.ts';
import type { ExtractionStore } from './extractions.store.ts';
import { withRead } from './ledger.ts';
import { subjectWithUser, userOf, type ConversationUser } from './subject-user.ts';

type Completed = EnvelopeOf<typeof extractionCompleted>;
type Outcome<Status> = Extract<Completed['data']['outcome'], { status: Status }>;

/** Result of an extraction, for the backfills that wait for it. */
export interface TakenExtraction {
  extraction: Extraction;
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
  extractions: ExtractionStore;
  goals: GoalStore;
  merger: ItemMerger;
  followSnapshots: FollowSnapshots;
  /** Circuits of the projects' providers. */
  circuits: Circuits;
  checkQuotes: CheckQuotes;
  outbox: Outbox;
  clock: Clock;
  logger: Logger;
  patience: Patience;
  afterTaken(tx: Transaction, projectId: string, taken: readonly TakenExtraction[]): Promise<void>;
  /** Reports how many extractions of each goal workers have handed back. */
  afterHandedBack(projectId: string, counts: ReadonlyMap<string, number>): Promise<void>;
  /** Reports that a provider of the project answers again. */
  afterRecovery(projectId: string): Promise<void>;
  /** Wakes the loops, because rows may be due. */
  wake(): void;
}

const NOTHING = { itemsCreated: 0, itemsMerged: 0, rejected: {} } as const;

/** Applies the results of workers to rows, items and backfills. */
export function createTakeResults(dependencies: TakeResultsDependencies) {
  const { extractions, goals, outbox, clock, afterHandedBack } = dependencies;

  async function take(
    tx: Transaction,
    projectId: string,
    accepted: readonly Completed[],
    checks: ReadonlyMap<string, CheckedResult>,
  ): Promise<readonly TakenExtraction[]> {
    const ids = accepted.map(({ data }) => data.extractionId);
    const known = new Map(await extractions.getMany(tx, ids));
    const ofGoals = await goals.getMany(projectId, [...new Set(accepted.map(({ data }) => data.goalId))], tx);
    const taken: TakenExtraction[] = [];
    const changed: StoredItem[] = [];
    for (const message of accepted) {
      const extraction = known.get(message.data.extractionId);
      if (!isAnswered(extraction, message.data.round)) continue;
      const [checked, goal] = [checks.get(message.id), ofGoals.get(extraction.goalId)];
      const one = await takeOne(tx, dependencies, { message, extraction, checked, goal });
      known.set(extraction.id, one.after);
      taken.push({ ...one, extraction });
      changed.push(...one.changed);
    }
    await extractions.save(tx, [...known.values()]);
    await dependencies.afterTaken(tx, projectId, taken);
    // An item that changed several times is announced once, in its last state.
    const last = new Map(changed.map((item) => [item.id, item]));
    const requestId = accepted[0]?.requestId ?? null;
    await outbox.appendMany(tx, itemEvents([...last.values()], { projectId, requestId, nowMs: clock.now() }));
    return taken;
  }

  return createTakeAnswers<Completed, ReadonlyMap<string, CheckedResult>, readonly TakenExtraction[]>({
    ...dependencies,
    prepare: (projectId, messages) => checksOf(dependencies, projectId, messages),
    take,
    async taken(projectId, taken) {
      const ofGoals = Map.groupBy(taken, ({ extraction }) => extraction.goalId);
      await afterHandedBack(projectId, new Map([...ofGoals].map(([goalId, some]) => [goalId, some.length])));
    },
  });
}

/** Items and evidence of one result, checked against the snapshot. */
interface CheckedResult extends Followed {
  conversationId: string;
  user: ConversationUser;
  items: (CheckedItem | RejectionReason)[];
}

interface One {
  message: Completed;
  extraction: Extraction;
  /** Undefined if the snapshot is gone, or its check took too long: no item is proven then. */
  checked: CheckedResult | undefined;
  goal: StoredGoal | undefined;
}

interface TakenOne extends Omit<TakenExtraction, 'extraction'> {
  after: Extraction;
  changed: StoredItem[];
}

async function takeOne(tx: Transaction, dependencies: TakeResultsDependencies, one: One): Promise<TakenOne> {
  const { clock, patience, logger } = dependencies;
  const { outcome } = one.message.data;
  const nowMs = clock.now();
  const { extraction } = one;
  if (outcome.status === 'read') return await takeRead(tx, dependencies, one, outcome);
  const unchanged = { ...NOTHING, changed: [] };
  if (outcome.status === 'waiting') {
    return { ...unchanged, after: afterWaiting(extraction, patience, nowMs), hasEnded: false, isFailed: false };
  }
  const again = outcome.status === 'later' ? afterFailure(extraction, outcome, nowMs) : undefined;
  if (again !== undefined) return { ...unchanged, after: again, hasEnded: false, isFailed: false };
  logger.warn({ extraction: extraction.id, reason: outcome.reason }, 'a conversation could not be read for a goal');
  return { ...unchanged, after: ended(extraction), hasEnded: true, isFailed: true };
}

async function takeRead(
  tx: Transaction,
  { merger, goals, followSnapshots, clock }: TakeResultsDependencies,
  { message, extraction, checked, goal }: One,
  { items, rejected, newlyRead, promptsRead, isComplete }: Outcome<'read'>,
): Promise<TakenOne> {
  const nowMs = clock.now();
  const { model } = message.data;
  const after = afterRead(extraction, newlyRead, isComplete, nowMs);
  const about = { after, hasEnded: after.state === 'idle', isFailed: false };
  // The goal was changed or archived meanwhile, so the items are dropped.
  if (goal === undefined || goal.revision !== extraction.goalRevision || goal.status === 'archived') {
    return { ...about, ...NOTHING, changed: [] };
  }
  const found: NewItem[] = [];
  const rejectedHere: Rejections = {};
  if (checked === undefined) reject(rejectedHere, 'unknown_message', items.length);
  for (const [place, item] of checked?.items.entries() ?? []) {
    if (typeof item === 'string') reject(rejectedHere, item);
    else if (checked !== undefined) found.push({ ...newItemOf(goal, item, checked), place });
  }
  if (promptsRead !== undefined && promptsRead !== '') {
    await goals.saveReadPrompts(
      tx,
      { projectId: goal.projectId, goalId: goal.id },
      withRead(goal.readPrompts, promptsRead),
    );
  }
  const merged = await merger.add(tx, found, { model, nowMs });
  const followed = checked === undefined ? [] : await followSnapshots.follow(tx, goal, checked, { model, nowMs });
  return {
    ...about,
    itemsCreated: merged.created,
    itemsMerged: merged.merged,
    rejected: addedUp(rejected, rejectedHere),
    changed: [...merged.changed, ...followed],
  };
}

/** Item ready for merging. Its id is derived from its words. */
function newItemOf(
  { projectId, id: goalId }: StoredGoal,
  { item, evidence, saidAt }: CheckedItem,
  { conversationId, user }: Pick<CheckedResult, 'conversationId' | 'user'>,
): NewItem {
  const {
    title,
    content,
    kind,
    confidence,
    authority,
    validFrom,
    validUntil,
    relations = [],
    siblings,
    embedding,
  } = item;
  const statement = statementOf(content);
  const values = embedding === undefined ? undefined : vectorOf(embedding.vector);
  return {
    ...{ id: derivedId('kitm', projectId, goalId, statement.textKey), projectId, goalId },
    ...{ conversationId, title, content, kind, confidence, authority },
    ...{ evidence, saidAt, statement, relations, siblings },
    subject: subjectWithUser(item, user),
    validFrom: startOfDate(validFrom ?? '') ?? null,
    validUntil: endOfDate(validUntil ?? '') ?? null,
    vector: embedding === undefined || values === undefined ? undefined : { model: embedding.model, values },
  };
}

/**
 * Checks each result that has items against its snapshot, by message id. Runs before the transaction, so as not to hold
 * it open.
 */
async function checksOf(
  { warehouse, goals, followSnapshots, checkQuotes, logger }: TakeResultsDependencies,
  projectId: string,
  messages: readonly Completed[],
): Promise<Map<string, CheckedResult>> {
  const snapshots = await snapshotsOf(warehouse, projectId, messages);
  const ofGoals = await goals.getMany(projectId, [...new Set(messages.map(({ data }) => data.goalId))]);
  const checks = new Map<string, CheckedResult>();
  for (const { id, data } of messages) {
    const snapshot = snapshots.get(data.snapshotId);
    const goal = ofGoals.get(data.goalId);
    if (data.outcome.status !== 'read' || snapshot === undefined || goal === undefined) continue;
    const { conversationId } = snapshot;
    const resting = await followSnapshots.resting({ projectId, goalId: data.goalId, conversationId });
    try {
      const checked = await checkQuotes(goal, snapshot, data.outcome.items, resting);
      checks.set(id, {
        conversationId,
        user: userOf(snapshot),
        items: checked.items,
        resting,
        followed: checked.resting,
      });
    } catch (error) {
      if (!(error instanceof ThreadDeadlineError)) throw error;
      logger.warn(
        { err: error, extraction: data.extractionId },
        'the quotes of an extraction could not be checked in time',
      );
    }
  }
  return checks;
}

/** Reads the snapshots of results that have items, by id; a snapshot that is gone is left out, so it proves nothing. */
async function snapshotsOf(warehouse: ServiceClient, projectId: string, messages: readonly Completed[]) {
  const ids = messages.filter(({ data }) => data.outcome.status === 'read').map(({ data }) => data.snapshotId);
  const snapshots = new Map<string, ConversationSnapshot>();
  for (const snapshotIds of inParts([...new Set(ids)], () => 1, MAX_SNAPSHOTS_OF_READ)) {
    const call = { params: { projectId }, body: { snapshotIds } };
    for await (const snapshot of warehouse.lines(readSnapshots, call)) snapshots.set(snapshot.snapshotId, snapshot);
  }
  return snapshots;
}

/** Ends extractions whose command became a dead letter. If that command is sent again, its result comes too late. */
export function createEndGivenUp({
  database,
  extractions,
  afterTaken,
}: Pick<TakeResultsDependencies, 'database' | 'extractions' | 'afterTaken'>) {
  return async ({ projectId, data }: EnvelopeOf<typeof extractionRequested>): Promise<void> => {
    await database.withTransaction(async (tx) => {
      const extraction = (await extractions.getMany(tx, [data.extractionId])).get(data.extractionId);
      if (!isAnswered(extraction, data.round)) return;
      await extractions.save(tx, [ended(extraction)]);
      await afterTaken(tx, projectId, [{ extraction, hasEnded: true, isFailed: true, ...NOTHING }]);
    });
  };
}
