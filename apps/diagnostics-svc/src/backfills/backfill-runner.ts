import { listReadyConversations, type ReadySnapshot } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import type { Clock } from '@clew/kernel';
import {
  createWindowBackfills,
  type Database,
  type Outbox,
  type Transaction,
  type WindowBackfills,
  type WindowBackfillsOptions,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { AnalysisStore, QueueRuns } from '../analyses/index.ts';
import { CONVERSATION_REVIEW, type ReviewBackfills } from '../reviewer/index.ts';
import type { EnabledRules, RunnableRule } from '../rules/index.ts';
import { afterPage, type StoredBackfill } from './backfill.ts';
import { reportEnd } from './backfill-events.ts';
import { backfillCollection, type BackfillDocument } from './backfill.model.ts';

/** Pace of backfills, which tests change. */
export type BackfillPace = Pick<
  WindowBackfillsOptions<StoredBackfill, RunnableRule>,
  'pageSize' | 'pollMs' | 'leaseMs'
>;

export interface BackfillRunnerOptions extends BackfillPace {
  database: Database;
  outbox: Outbox;
  warehouse: ServiceClient;
  analyses: AnalysisStore;
  queueRuns: QueueRuns;
  enabledRules: EnabledRules;
  reviews: ReviewBackfills;
  clock: Clock;
  logger: Logger;
}

/** Queues the runs or reviews of backfills, a page at a time. A Rule that is switched off ends its backfills. */
export function createBackfillRunner(options: BackfillRunnerOptions): WindowBackfills<StoredBackfill> {
  const { database, outbox, warehouse, analyses, queueRuns, enabledRules, reviews, clock } = options;

  async function queueRunsOf(
    tx: Transaction,
    { projectId, requestId }: BackfillDocument,
    rule: RunnableRule,
    conversations: readonly ReadySnapshot[],
  ): Promise<number> {
    const wanted = conversations.map(({ conversationId, snapshotId }) => ({
      ...{ projectId, conversationId, snapshotId, requestId, rules: [rule] },
      trigger: 'backfill' as const,
    }));
    return await queueRuns(tx, await analyses.load(tx, wanted), wanted);
  }

  return createWindowBackfills<StoredBackfill, RunnableRule>({
    ...options,
    name: 'rule backfills',
    collection: backfillCollection(database.connection),
    async permit({ projectId, ruleId }) {
      if (ruleId === CONVERSATION_REVIEW.ruleId) {
        const by = { ruleId, configuration: CONVERSATION_REVIEW.defaultConfiguration };
        return (await reviews.isOn(projectId)) ? { kind: 'going', by } : { kind: 'cancelled' };
      }
      const by = (await enabledRules.of(projectId)).find((rule) => rule.ruleId === ruleId);
      return by === undefined ? { kind: 'cancelled' } : { kind: 'going', by };
    },
    readPage: ({ projectId, requestId }, query) =>
      warehouse.call(listReadyConversations, { params: { projectId }, query, requestId }),
    async queue(tx, backfill, { conversations, by, ...page }) {
      const isReview = backfill.ruleId === CONVERSATION_REVIEW.ruleId;
      const runsQueued = isReview
        ? await reviews.queue(tx, backfill, conversations)
        : await queueRunsOf(tx, backfill, by, conversations);
      return afterPage(backfill, { ...page, runsQueued }, clock.now());
    },
    afterEnd: (tx, backfill) => reportEnd(tx, outbox, backfill._id, backfill),
    isDue: () => true,
  });
}
