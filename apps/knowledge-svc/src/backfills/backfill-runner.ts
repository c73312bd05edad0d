import { listReadyConversations } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import type { Clock } from '@clew/kernel';
import {
  ClaimLostError,
  createDueRows,
  startDueLoop,
  type Claimed,
  type Database,
  type DueLoop,
  type Transaction,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { GoalStore } from '../goals/index.ts';
import type { QueueReadings } from '../readings/index.ts';
import { backfillCollection, backfillOf, type BackfillDocument } from './backfill.model.ts';
import type { BackfillPages } from './backfill-progress.ts';
import { afterPage, cancelled, failed, hasEnded, roomOf, type KnowledgeBackfill } from './backfill.ts';

export interface BackfillRunner {
  start(): DueLoop;
  /** Something is due now. */
  wake(): void;
}

export interface BackfillRunnerOptions {
  database: Database;
  warehouse: ServiceClient;
  goals: GoalStore;
  queueReadings: QueueReadings;
  clock: Clock;
  logger: Logger;
  /** Conversations are to be read. */
  wakeReadings(): void;
  pages: BackfillPages;
  pollMs?: number;
  /** How long a dead process keeps the others from a backfill; far longer than a page takes. */
  leaseMs?: number;
}

/** Some nine hours, with the back-off of the kernel. */
const MAX_ATTEMPTS = 60;
/** Pages of so many backfills are in hand at a time, in one process. */
const CONCURRENCY = 2;

/**
 * Has the conversations of backfills read, a page at a time, as workers get on with them. A page is one transaction: what
 * is to be read, and how far the backfill has come; whoever is killed has done a page whole or not at all.
 */
export function createBackfillRunner(options: BackfillRunnerOptions): BackfillRunner {
  const { database, warehouse, goals, queueReadings, clock, logger, wakeReadings } = options;
  const { pages, pollMs = 1_000, leaseMs = 30_000 } = options;
  const documents = backfillCollection(database);
  const rows = createDueRows(documents, { leaseMs, isInTurn: true });

  /** The backfill as it is in the transaction; its readings may have got on since it was claimed. */
  async function current(tx: Transaction, { _id, projectId, claim }: Claimed<BackfillDocument>) {
    const found = await documents.findOne({ _id, projectId, claim }, { session: tx });
    if (found === null) throw new ClaimLostError('Another process has taken over the backfill');
    return backfillOf(found);
  }

  async function save(tx: Transaction, claimed: Claimed<BackfillDocument>, after: KnowledgeBackfill): Promise<void> {
    const { id: _id, projectId, ...set } = after;
    await documents.updateOne({ _id, projectId }, { $set: set }, { session: tx });
    const isDue = !hasEnded(after) && !after.isPaged && after.conversationsPending <= pages.maxPending;
    await rows.settle(tx, [claimed], ...(isDue ? [{ dueAt: clock.now() }] : []));
  }

  async function readPage({ projectId, startMs, endMs, cursor, requestId, ...backfill }: KnowledgeBackfill) {
    const limit = String(
      Math.min(pages.pageSize, roomOf({ projectId, startMs, endMs, cursor, requestId, ...backfill })),
    );
    const window = { from: String(startMs), to: String(endMs), limit };
    const query = cursor === null ? window : { ...window, cursor };
    return await warehouse.call(listReadyConversations, { params: { projectId }, query, requestId });
  }

  async function runPage(claimed: Claimed<BackfillDocument>): Promise<void> {
    const backfill = backfillOf(claimed);
    if (claimed.attempts >= MAX_ATTEMPTS) return await giveUp(claimed);
    const goal = await goals.get(backfill);
    if (hasEnded(backfill) || backfill.isPaged || goal?.status === 'paused') {
      // A goal that goes on makes its backfills due.
      return await database.withTransaction((tx) => rows.settle(tx, [claimed]));
    }
    if (goal === undefined || goal.status === 'archived') {
      return await database.withTransaction(async (tx) =>
        save(tx, claimed, cancelled(await current(tx, claimed), clock.now())),
      );
    }
    const { conversations, nextCursor } = await readPage(backfill);
    // Of words that have expired nothing can be learned.
    const said = conversations.filter(({ messageCount }) => messageCount > 0);
    await database.withTransaction(async (tx) => {
      const before = await current(tx, claimed);
      if (hasEnded(before) || before.cursor !== backfill.cursor) return await rows.settle(tx, [claimed]);
      const wanted = { goal, conversations: said, backfillId: backfill.id, requestId: backfill.requestId };
      const conversationsPending = await queueReadings(tx, wanted, clock.now());
      const page = { conversationsSeen: conversations.length, conversationsPending, nextCursor };
      await save(tx, claimed, afterPage(before, page, clock.now()));
    });
    wakeReadings();
  }

  async function giveUp(claimed: Claimed<BackfillDocument>): Promise<void> {
    logger.error({ backfillId: claimed._id }, 'a backfill was given up');
    const reason = 'The conversations of its window could not be listed';
    await database.withTransaction(async (tx) =>
      save(tx, claimed, failed(await current(tx, claimed), reason, clock.now())),
    );
  }

  let loop: DueLoop | undefined;
  return {
    wake: () => loop?.wake(),
    start() {
      loop = startDueLoop({
        ...{ name: 'knowledge backfills', rows, clock, logger, pollMs, limit: 1, concurrency: CONCURRENCY },
        async handle(claimed) {
          for (const row of claimed) await runPage(row);
        },
      });
      return loop;
    },
  };
}
