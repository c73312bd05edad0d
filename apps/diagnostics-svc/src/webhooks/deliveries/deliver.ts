import {
  createScheduledTasks,
  handleDueTasks,
  startTaskLoop,
  type Claimed,
  type Database,
  type ScheduledTasks,
  type TaskContext,
  type TaskLoop,
} from '@clew/persistence';
import { SecretUnreadableError } from '@clew/secrets';
import { webhookCollection, type WebhookDocument } from '../registry/webhook.model.ts';
import { createLingering } from './lingering.ts';
import { createServe, type ServeDependencies } from './serve-webhook.ts';

export interface DeliverDependencies extends Omit<ServeDependencies, 'lingering'> {
  database: Database;
  pollMs?: number | undefined;
}

/** Sends what is due. */
export interface Deliver {
  start(): TaskLoop;
  /** Looks for due webhooks at once, of which these have new deliveries. */
  wake(webhookIds: readonly string[]): void;
  /** Runs one round; resolves with the number of webhooks that were due. For tests. */
  round(): Promise<number>;
}

/** Webhooks that one process serves at a time: one whose receiver hangs costs one connection. */
const WEBHOOKS_AT_A_TIME = 128;
/**
 * Time that a webhook waits for further deliveries before it is settled: a busy one is then written rarely, and does
 * not conflict with those who add to it.
 */
const LINGER_MS = 300;
/** Longer than a try takes. */
const LEASE_MS = 60_000;

/**
 * Serves webhooks as scheduled tasks: a webhook is claimed by one process at a time, which sends its due deliveries, a
 * few at a time. So a slow receiver delays its own deliveries alone, and its pauses are its own.
 */
export function createDeliver(deps: DeliverDependencies): Deliver {
  const { database, webhooks, deliveries, clock, logger } = deps;
  const lingering = createLingering();
  const { serve, disable } = createServe({ ...deps, lingering });
  const rows: ScheduledTasks<WebhookDocument> = createScheduledTasks(webhookCollection(database.connection), {
    ...{ leaseMs: LEASE_MS, isInTurn: true },
  });

  /** Ends the claim; the webhook is due again when its next delivery is, and its pause is over. */
  async function settle(claimed: Claimed<WebhookDocument>): Promise<void> {
    await database.withTransaction(async (tx) => {
      const webhook = await webhooks.held(claimed, tx);
      if (webhook === undefined) return;
      const next = await deliveries.nextTryAt(tx, webhook);
      await webhooks.settle(tx, claimed, next === undefined ? null : Math.max(next, webhook.pausedUntil));
    });
  }

  async function handle([claimed]: readonly Claimed<WebhookDocument>[], context: TaskContext, lingerMs: number) {
    if (claimed === undefined) return;
    try {
      await serve(claimed, context, lingerMs);
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      const webhook = await webhooks.held(claimed);
      if (webhook !== undefined) await disable(webhook, error.message);
    }
    if (!context.signal.aborted) await settle(claimed);
    loop?.wake();
  }

  let loop: TaskLoop | undefined;
  const tasks = (lingerMs: number) => ({
    ...{ rows, clock, logger, name: 'webhook deliveries', limit: 1 },
    handle: (claimed: readonly Claimed<WebhookDocument>[], context: TaskContext) => handle(claimed, context, lingerMs),
  });
  return {
    wake(webhookIds) {
      lingering.wake(webhookIds);
      loop?.wake();
    },
    round: () => handleDueTasks(tasks(0)),
    start() {
      loop = startTaskLoop({ ...tasks(LINGER_MS), pollMs: deps.pollMs ?? 1_000, concurrency: WEBHOOKS_AT_A_TIME });
      return loop;
    },
  };
}
