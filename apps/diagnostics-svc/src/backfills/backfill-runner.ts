import { listReadyConversations, type ReadySnapshot } from '@clew/contracts';
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
import type { AnalysisStore, QueueRuns } from '../analyses/index.ts';
import type { EnabledRules, RunnableRule } from '../rules/index.ts';
import { afterPage, cancelled, roomOf, type RuleBackfill } from './backfill.ts';
import { backfillCollection, backfillOf, type BackfillDocument } from './backfill.model.ts';

export interface BackfillRunner {
  start(): DueLoop;
  /** Something is due now. */
  wake(): void;
}

export interface BackfillRunnerOptions {
  database: Database;
  warehouse: ServiceClient;
  analyses: AnalysisStore;
  queueRuns: QueueRuns;
  enabledRules: EnabledRules;
  clock: Clock;
  logger: Logger;
  /** Conversations of a page, which is one transaction. */
  pageSize?: number;
  pollMs?: number;
  /** How long a dead process keeps the others from a backfill; far longer than a page takes. */
  leaseMs?: number;
}

const MAX_PAGE_SIZE = 500;
/** Some nine hours, with the back-off of the kernel. */
const MAX_ATTEMPTS = 60;
/** Pages of so many backfills are in hand at a time, in one process. */
const CONCURRENCY = 2;

/**
 * Queues the runs of backfills, a page at a time: the backfill that has waited the longest comes first. A page is one
 * transaction: its runs with their commands, and how far the backfill has come; whoever is killed has done a page whole
 * or not at all.
 */
export function createBackfillRunner(options: BackfillRunnerOptions): BackfillRunner {
  const { database, warehouse, analyses, queueRuns, enabledRules, clock, logger } = options;
  const { pageSize = MAX_PAGE_SIZE, pollMs = 1_000, leaseMs = 30_000 } = options;
  const documents = backfillCollection(database.connection);
  const rows = createDueRows(documents, { leaseMs, maxAttempts: MAX_ATTEMPTS, isInTurn: true });

  async function save(tx: Transaction, claimed: Claimed<BackfillDocument>, after: RuleBackfill): Promise<void> {
    const { state, cursor, conversationsSeen, runsQueued, endedAt } = after;
    const { matchedCount } = await documents.updateOne(
      { _id: claimed._id, projectId: claimed.projectId, claim: claimed.claim },
      { $set: { state, cursor, conversationsSeen, runsQueued, endedAt } },
      { session: tx },
    );
    if (matchedCount === 0) throw new ClaimLostError('Another process has taken over the backfill');
    await rows.settle(tx, [claimed], ...(endedAt === null ? [{ dueAt: clock.now() }] : []));
  }

  async function readPage(backfill: RuleBackfill) {
    const { projectId, startMs, endMs, cursor, requestId } = backfill;
    const limit = String(Math.min(pageSize, roomOf(backfill)));
    const window = { from: String(startMs), to: String(endMs), limit };
    const query = cursor === null ? window : { ...window, cursor };
    return await warehouse.call(listReadyConversations, { params: { projectId }, query, requestId });
  }

  async function queuePage(
    tx: Transaction,
    backfill: RuleBackfill,
    rule: RunnableRule,
    page: readonly ReadySnapshot[],
  ) {
    const { projectId, requestId } = backfill;
    // Of words that have expired no Rule can say anything, and what was found in them is to stay.
    const said = page.filter(({ messageCount }) => messageCount > 0);
    const wanted = said.map(({ conversationId, snapshotId }) => ({
      ...{ projectId, conversationId, snapshotId, requestId, rules: [rule] },
    }));
    return await queueRuns(tx, await analyses.load(tx, wanted), wanted);
  }

  async function runPage(claimed: Claimed<BackfillDocument>): Promise<void> {
    const backfill = backfillOf(claimed);
    const enabled = await enabledRules.of(backfill.projectId);
    const rule = enabled.find(({ ruleId }) => ruleId === backfill.ruleId);
    if (rule === undefined) {
      await database.withTransaction((tx) => save(tx, claimed, cancelled(backfill, clock.now())));
      return;
    }
    const { conversations, nextCursor } = await readPage(backfill);
    await database.withTransaction(async (tx) => {
      const runsQueued = await queuePage(tx, backfill, rule, conversations);
      const page = { conversationsSeen: conversations.length, runsQueued, nextCursor };
      await save(tx, claimed, afterPage(backfill, page, clock.now()));
    });
  }

  let loop: DueLoop | undefined;
  return {
    wake: () => loop?.wake(),
    start() {
      loop = startDueLoop({
        ...{ name: 'rule backfills', rows, clock, logger, pollMs, limit: 1, concurrency: CONCURRENCY },
        async handle(claimed) {
          for (const row of claimed) await runPage(row);
        },
      });
      return loop;
    },
  };
}
