import type { mongo } from 'mongoose';
import type { ReadySnapshot } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import { isDuplicateKey, type Database, type Transaction } from '../database.ts';
import { startTaskLoop, type TaskLoop } from '../task-loop.ts';
import type { Claimed, ScheduleFields } from '../scheduled-task.ts';
import { ClaimLostError, createScheduledTasks } from '../scheduled-tasks.ts';
import { cancelled, failed, hasEnded, roomOf, type WindowBackfill, type WindowPage } from './window-backfill.ts';

/** Stored backfill: due as long as pages remain. */
export type WindowBackfillRow<Fields extends WindowBackfill> = Fields & ScheduleFields & { _id: string };

/** Query parameters for one page of a window. */
export interface WindowQuery {
  from: string;
  to: string;
  limit: string;
  cursor?: string;
}

/** Permission of the owner to continue a backfill: with `waiting`, the owner makes it due again itself. */
export type Permission<By> = { kind: 'going'; by: By } | { kind: 'waiting' } | { kind: 'cancelled' };

export interface WindowBackfillsOptions<Fields extends WindowBackfill, By> {
  /** Name in the log and of the background task. */
  name: string;
  database: Database;
  collection: mongo.Collection<WindowBackfillRow<Fields>>;
  clock: Clock;
  logger: Logger;
  /** Conversations per page, which is one transaction; 500 by default, the maximum of the list. */
  pageSize?: number | undefined;
  pollMs?: number | undefined;
  /** Time that a dead process blocks a backfill; far longer than a page takes. */
  leaseMs?: number | undefined;
  permit(backfill: WindowBackfillRow<Fields>): Promise<Permission<By>>;
  /** Reads ready conversations of a window by their last activity. */
  readPage(
    backfill: WindowBackfillRow<Fields>,
    query: WindowQuery,
  ): Promise<{ conversations: ReadySnapshot[]; nextCursor: string | null }>;
  /**
   * Requests, in the page's transaction, the work on its conversations, except those whose text has expired; returns
   * the backfill after the page.
   */
  queue(
    tx: Transaction,
    backfill: WindowBackfillRow<Fields>,
    page: WindowPage & { conversations: readonly ReadySnapshot[]; by: By },
  ): Promise<WindowBackfillRow<Fields>>;
  /** Runs in the transaction that ends a backfill. */
  afterEnd?(tx: Transaction, backfill: WindowBackfillRow<Fields>): Promise<void>;
  /** Tells whether the next page may follow at once; otherwise the owner makes the backfill due. */
  isDue(backfill: WindowBackfillRow<Fields>): boolean;
  /** Runs after each page. */
  afterPage?(): void;
}

export interface WindowBackfills<Fields extends WindowBackfill> {
  /** Schedules a backfill; if one with the same id exists, that one stays and is returned. */
  schedule(backfill: Fields & { id: string }): Promise<WindowBackfillRow<Fields>>;
  start(): TaskLoop;
  /** Looks for scheduled tasks at once. */
  wake(): void;
}

const MAX_PAGE_SIZE = 500;
/** About nine hours, with the kernel's default back-off. */
const MAX_ATTEMPTS = 60;
/** Backfills whose pages one process handles in parallel. */
const CONCURRENCY = 2;
const GIVEN_UP = 'The conversations of its window could not be listed';

/**
 * Processes windows page by page, the backfill that has waited the longest first. One transaction per page holds both
 * the requests and the progress of the backfill, so that a killed process has done a page entirely or not at all. A
 * backfill that fails for hours ends as `failed`.
 */
export function createWindowBackfills<Fields extends WindowBackfill, By>(
  options: WindowBackfillsOptions<Fields, By>,
): WindowBackfills<Fields> {
  type Row = WindowBackfillRow<Fields>;
  const { name, database, clock, logger, pageSize = MAX_PAGE_SIZE, pollMs = 1_000, leaseMs = 30_000 } = options;
  // The driver's types do not support a generic document.
  const documents = options.collection as unknown as mongo.Collection<WindowBackfillRow<WindowBackfill>>;
  const rows = createScheduledTasks<Row>(options.collection as never, { leaseMs, isInTurn: true });

  /** Reads the backfill in the transaction: since the claim, it or what it waits for may have ended. */
  async function current(tx: Transaction, { _id, projectId, claim }: Claimed<Row>): Promise<Row> {
    const found = await documents.findOne({ _id, projectId, claim }, { session: tx });
    if (found === null) throw new ClaimLostError('Another process has taken over the backfill');
    return found as unknown as Row;
  }

  async function save(tx: Transaction, claimed: Claimed<Row>, after: Row): Promise<void> {
    const { _id, projectId, dueAt: _d, leaseUntil: _l, claim: _c, attempts: _a, ...set } = after;
    await documents.updateOne({ _id, projectId }, { $set: set as never }, { session: tx });
    if (hasEnded(after) && !hasEnded(claimed)) await options.afterEnd?.(tx, after);
    const goesOn = !hasEnded(after) && options.isDue(after);
    await rows.settle(tx, [claimed], ...(goesOn ? [{ dueAt: clock.now() }] : []));
  }

  async function end(claimed: Claimed<Row>, how: (backfill: Row) => Row): Promise<void> {
    await database.withTransaction(async (tx) => save(tx, claimed, how(await current(tx, claimed))));
  }

  async function runPage(claimed: Claimed<Row>): Promise<void> {
    if (claimed.attempts >= MAX_ATTEMPTS) {
      logger.error({ backfillId: claimed._id }, 'a backfill was given up');
      return await end(claimed, (backfill) => failed(backfill, GIVEN_UP, clock.now()));
    }
    const permission = await options.permit(claimed);
    if (permission.kind === 'cancelled') return await end(claimed, (backfill) => cancelled(backfill, clock.now()));
    if (permission.kind === 'waiting' || hasEnded(claimed)) {
      return await database.withTransaction((tx) => rows.settle(tx, [claimed]));
    }
    const { conversations, nextCursor } = await options.readPage(claimed, queryOf(claimed, pageSize));
    await database.withTransaction(async (tx) => {
      const before = await current(tx, claimed);
      if (hasEnded(before) || before.cursor !== claimed.cursor) return await rows.settle(tx, [claimed]);
      const said = conversations.filter(({ messageCount }) => messageCount > 0);
      const page = { conversationsSeen: conversations.length, nextCursor, conversations: said, by: permission.by };
      await save(tx, claimed, await options.queue(tx, before, page));
    });
    options.afterPage?.();
  }

  let loop: TaskLoop | undefined;
  return {
    async schedule({ id: _id, ...fields }) {
      const document = { _id, ...fields, dueAt: fields.createdAt } as unknown as Row;
      try {
        await documents.insertOne(document as never);
      } catch (error) {
        const first = isDuplicateKey(error) ? await documents.findOne({ _id, projectId: fields.projectId }) : null;
        if (first === null) throw error;
        return first as unknown as Row;
      }
      loop?.wake();
      return document;
    },
    wake: () => loop?.wake(),
    start() {
      loop = startTaskLoop({
        ...{ name, rows, clock, logger, pollMs, limit: 1, concurrency: CONCURRENCY },
        async handle(claimed) {
          for (const row of claimed) await runPage(row);
        },
      });
      return loop;
    },
  };
}

function queryOf(backfill: WindowBackfill, pageSize: number): WindowQuery {
  const { startMs, endMs, cursor } = backfill;
  const limit = String(Math.min(pageSize, roomOf(backfill)));
  const window = { from: String(startMs), to: String(endMs), limit };
  return cursor === null ? window : { ...window, cursor };
}
