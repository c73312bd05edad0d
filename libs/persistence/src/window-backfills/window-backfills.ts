import type { mongo } from 'mongoose';
import type { ReadySnapshot } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import { isDuplicateKey, type Database, type Transaction } from '../database.ts';
import { startDueLoop, type DueLoop } from '../due-loop.ts';
import type { Claimed, DueFields } from '../due-row.ts';
import { ClaimLostError, createDueRows } from '../due-rows.ts';
import { cancelled, failed, hasEnded, roomOf, type WindowBackfill, type WindowPage } from './window-backfill.ts';

/** A backfill as it is stored: due as long as it has a page to come. */
export type WindowBackfillRow<Fields extends WindowBackfill> = Fields & DueFields & { _id: string };

/** Where a window is read. */
export interface WindowQuery {
  from: string;
  to: string;
  limit: string;
  cursor?: string;
}

/** Whether a backfill may go on, as its owner sees it: `waiting` makes it due again itself. */
export type Permission<By> = { kind: 'going'; by: By } | { kind: 'waiting' } | { kind: 'cancelled' };

export interface WindowBackfillsOptions<Fields extends WindowBackfill, By> {
  /** Its name in the log, and as a part of its process. */
  name: string;
  database: Database;
  collection: mongo.Collection<WindowBackfillRow<Fields>>;
  clock: Clock;
  logger: Logger;
  /** Conversations of a page, which is one transaction; 500 by default, which is the most that the list takes. */
  pageSize?: number | undefined;
  pollMs?: number | undefined;
  /** How long a dead process keeps the others from a backfill; far longer than a page takes. */
  leaseMs?: number | undefined;
  permit(backfill: WindowBackfillRow<Fields>): Promise<Permission<By>>;
  /** Reads ready conversations of a window by their last activity. */
  readPage(
    backfill: WindowBackfillRow<Fields>,
    query: WindowQuery,
  ): Promise<{ conversations: ReadySnapshot[]; nextCursor: string | null }>;
  /**
   * Asks in the page's transaction for what is to be done with its conversations, those left out whose words have
   * expired; returns the backfill after it.
   */
  queue(
    tx: Transaction,
    backfill: WindowBackfillRow<Fields>,
    page: WindowPage & { conversations: readonly ReadySnapshot[]; by: By },
  ): Promise<WindowBackfillRow<Fields>>;
  /** Whether the next page may come at once; otherwise its owner makes the backfill due. */
  isDue(backfill: WindowBackfillRow<Fields>): boolean;
  /** Runs after each page. */
  afterPage?(): void;
}

export interface WindowBackfills<Fields extends WindowBackfill> {
  /** Schedules a backfill; of several with one id the first stands, and is returned. */
  schedule(backfill: Fields & { id: string }): Promise<WindowBackfillRow<Fields>>;
  start(): DueLoop;
  /** Looks at once for what is due. */
  wake(): void;
}

const MAX_PAGE_SIZE = 500;
/** Some nine hours, with the back-off of the kernel. */
const MAX_ATTEMPTS = 60;
/** Pages of so many backfills are in hand at a time, in one process. */
const CONCURRENCY = 2;
const GIVEN_UP = 'The conversations of its window could not be listed';

/**
 * Goes through windows page by page: the backfill that has waited the longest comes first. A page is one transaction, of
 * what is asked for and how far the backfill has come: a process that is killed has done a page whole or not at all. A
 * backfill that fails for hours ends as `failed`.
 */
export function createWindowBackfills<Fields extends WindowBackfill, By>(
  options: WindowBackfillsOptions<Fields, By>,
): WindowBackfills<Fields> {
  type Row = WindowBackfillRow<Fields>;
  const { name, database, clock, logger, pageSize = MAX_PAGE_SIZE, pollMs = 1_000, leaseMs = 30_000 } = options;
  // The driver's types do not follow a generic document.
  const documents = options.collection as unknown as mongo.Collection<WindowBackfillRow<WindowBackfill>>;
  const rows = createDueRows<Row>(options.collection as never, { leaseMs, isInTurn: true });

  /** The backfill as it is in the transaction: what it waits for may have ended since it was claimed, or itself. */
  async function current(tx: Transaction, { _id, projectId, claim }: Claimed<Row>): Promise<Row> {
    const found = await documents.findOne({ _id, projectId, claim }, { session: tx });
    if (found === null) throw new ClaimLostError('Another process has taken over the backfill');
    return found as unknown as Row;
  }

  async function save(tx: Transaction, claimed: Claimed<Row>, after: Row): Promise<void> {
    const { _id, projectId, dueAt: _d, leaseUntil: _l, claim: _c, attempts: _a, ...set } = after;
    await documents.updateOne({ _id, projectId }, { $set: set as never }, { session: tx });
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

  let loop: DueLoop | undefined;
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
      loop = startDueLoop({
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
