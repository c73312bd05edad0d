import { derivedId, type Clock } from '@clew/kernel';
import {
  createScheduledTasks,
  handleDueTasks,
  startTaskLoop,
  type Claimed,
  type Database,
  type HandleTasksOptions,
  type TaskLoop,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import { newDelivery } from '../deliveries/delivery.ts';
import type { DeliveryStore } from '../deliveries/deliveries.store.ts';
import type { StoredWebhook } from '../registry/webhook.ts';
import type { WebhookStore } from '../registry/webhooks.store.ts';
import { rateWatchCollection, type RateWatchDocument } from '../registry/rate-watch.model.ts';
import type { RateWatchStore } from '../registry/rate-watches.store.ts';

/** Estimate of the share of conversations of a time that failed; `rate` is null without any review. */
export interface RateEstimate {
  rate: number | null;
  low: number;
  high: number;
  reviewed: number;
}

export type EstimateRate = (projectId: string, window: { startMs: number; endMs: number }) => Promise<RateEstimate>;

export interface WatchRatesDependencies {
  database: Database;
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  watches: RateWatchStore;
  estimateRate: EstimateRate;
  /** Looks for due webhooks at once, of which these have new deliveries. */
  wake(webhookIds: readonly string[]): void;
  clock: Clock;
  logger: Logger;
}

/** Watches failure rates, and tells the webhooks that want it when one comes above their bound. */
export interface WatchRates {
  start(): TaskLoop;
  /** Estimates the rates that are due; resolves with their number. For tests. */
  round(): Promise<number>;
}

const LEASE_MS = 60_000;
const HOUR_MS = 3_600_000;
const WINDOW_MS = 7 * 24 * HOUR_MS;
const POLL_MS = 30_000;
/** Reviews below which an estimate says too little to wake anybody. */
const MIN_REVIEWED = 20;

export function createWatchRates(deps: WatchRatesDependencies): WatchRates {
  const { database, webhooks, deliveries, watches, estimateRate, clock, logger } = deps;
  const rows = createScheduledTasks(rateWatchCollection(database.connection), { leaseMs: LEASE_MS, isInTurn: true });

  async function look(row: Claimed<RateWatchDocument>): Promise<void> {
    const { _id: webhookId, projectId } = row;
    const nowMs = clock.now();
    const window = { startMs: nowMs - WINDOW_MS, endMs: nowMs };
    const estimate = await estimateRate(projectId, window);
    await database.withTransaction(async (tx) => {
      const webhook = await webhooks.get({ projectId, webhookId }, tx);
      if (webhook === undefined) return await watches.remove(tx, { projectId, webhookId });
      await rows.settle(tx, [row], { dueAt: nowMs + HOUR_MS });
      if (!webhook.enabled) return;
      const isAbove = isBeyond(estimate, webhook);
      if (isAbove === row.isAbove) return;
      await watches.note(tx, webhookId, isAbove);
      if (!isAbove) return;
      const data = { projectId, ...estimate, above: webhook.failureRateAbove, ...window };
      const event = { eventId: derivedId('evt', webhookId, String(nowMs)), occurredAt: nowMs, conversationIds: [] };
      const type = 'failure_rate.exceeded' as const;
      await webhooks.signal(tx, [webhookId], nowMs);
      await deliveries.insert(tx, [newDelivery({ projectId, webhookId, ...event, type, data }, nowMs)]);
      database.afterCommit(tx, () => deps.wake([webhookId]));
    });
  }

  const tasks: HandleTasksOptions<RateWatchDocument> = {
    ...{ name: 'watches over failure rates', rows, clock, logger, limit: 1 },
    async handle(claimed) {
      for (const row of claimed) await look(row);
    },
  };
  return {
    round: () => handleDueTasks(tasks),
    start: () => startTaskLoop({ ...tasks, pollMs: POLL_MS }),
  };
}

function isBeyond({ rate, reviewed }: RateEstimate, { failureRateAbove }: StoredWebhook): boolean {
  return rate !== null && reviewed >= MIN_REVIEWED && rate > failureRateAbove;
}
