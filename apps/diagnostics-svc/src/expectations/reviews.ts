import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RequestedRule } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { describeError, inParts, type Clock } from '@clew/kernel';
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
import { ThreadDeadlineError, type Logger } from '@clew/runtime';
import { findingCollection, occurrenceCollection } from '../findings/finding.model.ts';
import type { OccurrenceHead } from '../findings/occurrence.ts';
import { createReviewOccurrences, type Verdict } from '../results/review-occurrences.ts';
import type { ResultStore } from '../results/results.store.ts';
import { expectationCollection, type ExpectationDocument, type ReviewPosition } from './expectation.model.ts';
import { checkedExpectation } from './expectation.ts';
import { storedOf, type ExpectationKey } from './expectations.store.ts';
import { snapshotJson, type AskSnapshot } from './read-snapshot.ts';

/**
 * Reviews the conversations that show an Expectation, page by page, after a change. If it is no longer active, they are
 * withdrawn; if its check has changed, it is tried again on the snapshots in which they were found.
 */
export interface Reviews {
  /** Wakes the loop, because a review is due. */
  wake(): void;
  /** Reviews as much as it can within a short time; true if nothing is left. */
  finish(key: ExpectationKey): Promise<boolean>;
  /** Reviews one page of a due Expectation; returns the number of rows that were due. */
  round(): Promise<number>;
  start(): TaskLoop;
}

export interface ReviewsDependencies {
  database: Database;
  results: ResultStore;
  outbox: Outbox;
  warehouse: ServiceClient;
  askSnapshot: AskSnapshot;
  /** The rule expectation_broken with the project's settings; undefined if it is off. */
  ruleOf: (projectId: string) => Promise<RequestedRule | undefined>;
  clock: Clock;
  logger: Logger;
  /** Occurrences per page, at most as many as one answer of the warehouse can serve. */
  pageSize?: number;
  leaseMs?: number;
}

type ClaimedExpectation = Claimed<ExpectationDocument>;
type ShownOccurrence = Pick<OccurrenceHead, 'id' | 'conversationId' | 'snapshotId' | 'firstDetectedAt'>;

const INLINE_MS = 1_000;
const READ_TOGETHER = 8;

export function createReviews(deps: ReviewsDependencies): Reviews {
  const { database, results, outbox, clock, logger, pageSize = 100, leaseMs = 60_000 } = deps;
  const documents = expectationCollection(database);
  const rows = createScheduledTasks(documents, { leaseMs, isInTurn: true });
  const reviewOccurrences = createReviewOccurrences({ results, outbox });
  let loop: TaskLoop | undefined;

  /**
   * Ends the claim together with the page's effect, or without it if the Expectation has changed meanwhile. Returns
   * whether nothing is left to do, apart from the work that such a change asks for.
   */
  async function take(
    tx: Transaction,
    row: ClaimedExpectation,
    page: readonly ShownOccurrence[],
    verdicts: ReadonlyMap<string, Verdict>,
  ): Promise<boolean> {
    const nowMs = clock.now();
    const isLast = page.length < pageSize;
    const current = await documents.findOne({ _id: row._id, claim: row.claim }, { session: tx });
    const isUnchanged = current?.updatedAt === row.updatedAt && current.dueAt === row.dueAt;
    const isSame = isUnchanged && (await areThere(database, tx, page));
    const isDone = !isUnchanged || (isSame && isLast);
    if (isSame && page.length > 0) {
      const conversationIds = page.map(({ conversationId }) => conversationId);
      await reviewOccurrences(tx, { projectId: row.projectId, conversationIds, verdicts, nowMs });
    }
    await rows.settle(tx, [row], isDone ? undefined : { dueAt: nowMs });
    if (!isSame) return isDone && isLast;
    const last = page.at(-1);
    const reviewedThrough =
      isLast || last === undefined ? null : { firstDetectedAt: last.firstDetectedAt, id: last.id };
    // A compiled Expectation stays, so that a prompt that states it again does not bring it back.
    const isGone = isLast && row.status === 'deleted' && row.source === 'authored';
    const end = isGone ? { $currentDate: { goneAt: true } as const } : {};
    await documents.updateOne({ _id: row._id }, { $set: { reviewedThrough }, ...end }, { session: tx });
    return isDone;
  }

  /** Reviews one page; returns whether it was the last. */
  async function reviewPage(row: ClaimedExpectation): Promise<boolean> {
    const page = await pageOf(database, row, pageSize);
    const verdicts = row.status === 'active' ? await triedAgain(deps, row, page) : withdrawn(page);
    return await database.withTransaction((tx) => take(tx, row, page, verdicts));
  }

  async function finishClaimed(first: ClaimedExpectation): Promise<boolean> {
    const deadlineMs = performance.now() + INLINE_MS;
    let row: ClaimedExpectation | undefined = first;
    try {
      while (row !== undefined) {
        if (await reviewPage(row)) return true;
        row = performance.now() > deadlineMs ? undefined : await rows.claimOne(first._id, clock.now());
      }
      return false;
    } catch (error) {
      if (row !== undefined) await rows.putOff(row, clock.now(), describeError(error));
      throw error;
    }
  }

  const task: HandleTasksOptions<ExpectationDocument> = {
    ...{ name: 'expectation reviews', rows, clock, logger, limit: 1 },
    async handle(claimed, { heartbeat }) {
      for (const row of claimed) {
        await reviewPage(row);
        heartbeat();
      }
    },
  };

  return {
    wake: () => loop?.wake(),
    async finish({ projectId, expectationId }) {
      const row = await documents.findOne({ _id: expectationId, projectId }, { projection: { dueAt: 1 } });
      if (row?.dueAt == null) return true;
      const claimed = await rows.claimOne(expectationId, clock.now());
      const isDone = claimed !== undefined && (await finishClaimed(claimed));
      if (!isDone) loop?.wake();
      return isDone;
    },
    round: () => handleDueTasks(task),
    start() {
      loop = startTaskLoop(task);
      return loop;
    },
  };
}

/** Next page of occurrences after those already reviewed. */
async function pageOf(database: Database, row: ClaimedExpectation, pageSize: number): Promise<ShownOccurrence[]> {
  const { projectId, findingId, reviewedThrough } = row;
  const finding = await findingCollection(database).findOne(
    { _id: findingId, projectId },
    { projection: { splits: 1 } },
  );
  // Occurrences that were split off the Finding still result from the Expectation.
  const splitIds = (finding?.splits ?? []).map((split) => split.findingId);
  const found = await occurrenceCollection(database)
    .find(
      {
        projectId,
        findingId: { $in: [findingId, ...splitIds] },
        ...(reviewedThrough == null ? {} : behind(reviewedThrough)),
      },
      { projection: { conversationId: 1, snapshotId: 1, firstDetectedAt: 1 } },
    )
    .sort({ firstDetectedAt: 1, _id: 1 })
    .limit(pageSize)
    .toArray();
  return found.map(({ _id, conversationId, snapshotId, firstDetectedAt }) => {
    return { id: _id, conversationId, snapshotId, firstDetectedAt };
  });
}

/** Whether all of the page still exists; if some was withdrawn or split off since, the page is read again. */
async function areThere(database: Database, tx: Transaction, page: readonly ShownOccurrence[]): Promise<boolean> {
  if (page.length === 0) return true;
  const filter = { _id: { $in: page.map(({ id }) => id) } };
  const left = await occurrenceCollection(database).countDocuments(filter, { session: tx, hint: { _id: 1 } });
  return left === page.length;
}

function withdrawn(page: readonly ShownOccurrence[]): Map<string, Verdict> {
  return new Map(page.map(({ id }) => [id, { detection: undefined }]));
}

/**
 * Verdicts of the current check on the snapshots. An occurrence whose snapshot no longer exists is withdrawn, because
 * nothing proves it. A snapshot that takes too long gets no verdict, and its occurrences stay as they are.
 */
async function triedAgain(
  {
    warehouse,
    askSnapshot,
    ruleOf,
    logger,
  }: Pick<ReviewsDependencies, 'warehouse' | 'askSnapshot' | 'ruleOf' | 'logger'>,
  row: ClaimedExpectation,
  page: readonly ShownOccurrence[],
): Promise<Map<string, Verdict>> {
  const verdicts = new Map<string, Verdict>(
    page.map(({ id, snapshotId }) => [id, { detection: undefined, snapshotId }]),
  );
  if (page.length === 0) return verdicts;
  const bySnapshot = Map.groupBy(page, ({ snapshotId }) => snapshotId);
  const expectation = checkedExpectation(storedOf(row));
  const { configuration } = (await ruleOf(row.projectId)) ?? {};
  const question = { ask: 'detection', expectation, configuration } as const;
  for (const part of inParts([...bySnapshot.keys()], () => 1, READ_TOGETHER)) {
    const read = part.map((snapshotId) => snapshotJson(warehouse, { projectId: row.projectId, snapshotId }));
    for (const [index, json] of (await Promise.all(read)).entries()) {
      if (json === undefined) continue;
      const shown = bySnapshot.get(part[index] ?? '') ?? [];
      try {
        const detection = await askSnapshot(row.projectId, json, question);
        for (const { id, snapshotId } of shown) verdicts.set(id, { detection, snapshotId });
      } catch (error) {
        if (!(error instanceof ThreadDeadlineError)) throw error;
        logger.warn({ err: error, snapshot: part[index] }, 'a snapshot could not be reviewed in time');
        for (const { id } of shown) verdicts.delete(id);
      }
      await nextTurn();
    }
  }
  return verdicts;
}

function behind({ firstDetectedAt, id }: ReviewPosition) {
  return { $or: [{ firstDetectedAt: { $gt: firstDetectedAt } }, { firstDetectedAt, _id: { $gt: id } }] };
}
