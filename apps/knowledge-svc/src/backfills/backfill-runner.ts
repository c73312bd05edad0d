import { listReadyConversations } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import type { Clock } from '@clew/kernel';
import {
  createWindowBackfills,
  type Database,
  type Outbox,
  type WindowBackfills,
  type WindowBackfillsOptions,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { GoalStore, StoredGoal } from '../goals/index.ts';
import type { QueueExtractions } from '../extractions/index.ts';
import { reportEnd } from './backfill-events.ts';
import { backfillCollection } from './backfill.model.ts';
import type { BackfillPages } from './backfill-progress.ts';
import { afterPage, type StoredBackfill } from './backfill.ts';

/** Pace of backfills, which tests shorten. */
export type BackfillPace = Pick<WindowBackfillsOptions<StoredBackfill, StoredGoal>, 'pollMs' | 'leaseMs'>;

export interface BackfillRunnerOptions extends BackfillPace {
  database: Database;
  outbox: Outbox;
  warehouse: ServiceClient;
  goals: GoalStore;
  queueExtractions: QueueExtractions;
  clock: Clock;
  logger: Logger;
  /** Wakes the loop that hands extractions out, once conversations were queued. */
  wakeExtractions(): void;
  pages: BackfillPages;
}

/** Queues the conversations of backfills for extraction, page by page, as workers make progress. */
export function createBackfillRunner(options: BackfillRunnerOptions): WindowBackfills<StoredBackfill> {
  const { database, outbox, warehouse, goals, queueExtractions, clock, wakeExtractions, pages } = options;
  return createWindowBackfills<StoredBackfill, StoredGoal>({
    ...options,
    name: 'knowledge backfills',
    collection: backfillCollection(database),
    pageSize: pages.pageSize,
    async permit(backfill) {
      const goal = await goals.get(backfill);
      // A goal that is resumed makes its backfills due again.
      if (backfill.isPaged || goal?.status === 'paused') return { kind: 'waiting' };
      if (goal === undefined || goal.status === 'archived') return { kind: 'cancelled' };
      return { kind: 'going', by: goal };
    },
    readPage: ({ projectId, requestId }, query) =>
      warehouse.call(listReadyConversations, { params: { projectId }, query, requestId }),
    async queue(tx, backfill, { conversations, by: goal, ...page }) {
      const nowMs = clock.now();
      const { _id: backfillId, requestId } = backfill;
      const conversationsPending = await queueExtractions(tx, { goal, conversations, backfillId, requestId }, nowMs);
      return afterPage(backfill, { ...page, conversationsPending }, nowMs);
    },
    afterEnd: (tx, backfill) => reportEnd(tx, outbox, backfill._id, backfill),
    isDue: ({ isPaged, conversationsPending }) => !isPaged && conversationsPending <= pages.maxPending,
    afterPage: wakeExtractions,
  });
}
