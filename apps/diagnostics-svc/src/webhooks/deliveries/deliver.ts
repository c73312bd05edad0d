import type { Clock } from '@clew/kernel';
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
import type { Logger } from '@clew/runtime';
import { SecretUnreadableError, type SecretBox } from '@clew/secrets';
import { signingKeyOf, validSecrets, type Health, type StoredWebhook } from '../registry/webhook.ts';
import { webhookCollection, type WebhookDocument } from '../registry/webhook.model.ts';
import type { WebhookStore } from '../registry/webhooks.store.ts';
import type { Receiver, Send } from '../sending/send.ts';
import type { DeliveryStore, NotedTry } from './deliveries.store.ts';
import { afterTries, afterTry, reasonToDisable, type Delivery, type DeliveryPace } from './delivery.ts';

export interface DeliverDependencies {
  database: Database;
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  secrets: SecretBox;
  send: Send;
  pace: DeliveryPace;
  clock: Clock;
  logger: Logger;
  pollMs?: number | undefined;
}

/** Sends what is due. */
export interface Deliver {
  start(): TaskLoop;
  /** Looks for due webhooks at once. */
  wake(): void;
  /** Runs one round; resolves with the number of webhooks that were due. For tests. */
  round(): Promise<number>;
}

/** Webhooks that one process serves at a time: one whose receiver hangs costs one connection. */
const WEBHOOKS_AT_A_TIME = 128;
/** Tries of one webhook at a time, once its receiver answers well; one that failed last gets one. */
const MAX_WINDOW = 16;
const FIRST_WINDOW = 4;
/** Time after which a webhook makes room for others, if they wait. */
const SLICE_MS = 5_000;
/** Longer than a try takes. */
const LEASE_MS = 60_000;
/** Deliveries that may wait for a receiver that fails. */
const MAX_WAITING = 100_000;
const DISABLED = 'The webhook is disabled';
const TOO_MANY_WAIT = `More than ${MAX_WAITING} deliveries wait for the receiver`;

/**
 * Serves webhooks as scheduled tasks: a webhook is claimed by one process at a time, which sends its due deliveries, a
 * few at a time. So a slow receiver delays its own deliveries alone, and its pauses are its own.
 */
export function createDeliver(deps: DeliverDependencies): Deliver {
  const { database, webhooks, deliveries, send, pace, clock, logger } = deps;
  const rows: ScheduledTasks<WebhookDocument> = createScheduledTasks(webhookCollection(database.connection), {
    ...{ leaseMs: LEASE_MS, isInTurn: true },
  });

  /** Tries deliveries at a time; those of which nothing is known stay due. */
  async function tryAll(webhook: StoredWebhook, due: readonly Delivery[], signal: AbortSignal): Promise<NotedTry[]> {
    const receiver = receiverOf(webhook, deps.secrets, clock.now());
    const tries = due.map(async (delivery) => {
      const outcome = await send(receiver, delivery, signal);
      if (outcome === undefined) return [];
      return [{ delivery, outcome, after: afterTry(delivery, outcome, pace, clock.now()) }];
    });
    return (await Promise.all(tries)).flat();
  }

  async function disable(webhook: StoredWebhook, reason: string): Promise<void> {
    if (!(await webhooks.disable(webhook, reason, clock.now()))) return;
    logger.warn({ webhookId: webhook.id, projectId: webhook.projectId, reason }, 'a webhook was disabled');
    await deliveries.failWaiting(webhook, DISABLED);
  }

  /** Tells why the webhook is to be disabled, if it is. */
  async function disabledBy(webhook: StoredWebhook, health: Health, noted: readonly NotedTry[]) {
    const outcomes = noted.map(({ outcome }) => outcome);
    const reason = reasonToDisable(health, outcomes, pace, clock.now());
    if (reason !== undefined || health.failures === 0) return reason;
    return (await deliveries.countWaiting(webhook, MAX_WAITING + 1)) > MAX_WAITING ? TOO_MANY_WAIT : undefined;
  }

  /** Sends what is due until nothing is, the receiver fails, or others should have their turn. */
  async function serve(claimed: Claimed<WebhookDocument>, context: TaskContext): Promise<StoredWebhook | undefined> {
    const untilMs = performance.now() + SLICE_MS;
    let window = FIRST_WINDOW;
    for (;;) {
      const webhook = await webhooks.held(claimed);
      if (webhook === undefined || context.stopping.aborted || performance.now() > untilMs) return webhook;
      if (!webhook.enabled) await deliveries.failWaiting(webhook, DISABLED);
      if (webhook.pausedUntil > clock.now()) return webhook;
      const due = await deliveries.due(webhook, clock.now(), webhook.failures > 0 ? 1 : window);
      if (due.length === 0) return webhook;
      context.heartbeat();
      const noted = await tryAll(webhook, due, context.signal);
      await deliveries.note(noted);
      if (noted.length === 0) return webhook;
      const outcomes = noted.map(({ outcome }) => outcome);
      const health = afterTries(webhook, outcomes, pace, clock.now());
      const reason = await disabledBy(webhook, health, noted);
      if (reason !== undefined) await disable(webhook, reason);
      if (health.failures > 0 || webhook.failures > 0) await webhooks.setHealth(webhook, health);
      window = Math.min(MAX_WINDOW, 2 * window);
    }
  }

  /** Ends the claim; the webhook is due again when its next delivery is, and its pause is over. */
  async function settle(claimed: Claimed<WebhookDocument>): Promise<void> {
    await database.withTransaction(async (tx) => {
      const webhook = await webhooks.held(claimed, tx);
      if (webhook === undefined) return;
      const next = await deliveries.nextTryAt(tx, webhook);
      await webhooks.settle(tx, claimed, next === undefined ? null : Math.max(next, webhook.pausedUntil));
    });
  }

  async function handle([claimed]: readonly Claimed<WebhookDocument>[], context: TaskContext): Promise<void> {
    if (claimed === undefined) return;
    try {
      await serve(claimed, context);
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      const webhook = await webhooks.held(claimed);
      if (webhook !== undefined) await disable(webhook, error.message);
    }
    if (!context.signal.aborted) await settle(claimed);
    wake();
  }

  let loop: TaskLoop | undefined;
  const wake = () => loop?.wake();
  const tasks = { rows, clock, logger, name: 'webhook deliveries', limit: 1, handle };
  return {
    wake,
    round: () => handleDueTasks(tasks),
    start() {
      loop = startTaskLoop({ ...tasks, pollMs: deps.pollMs ?? 1_000, concurrency: WEBHOOKS_AT_A_TIME });
      return loop;
    },
  };
}

/** Receiver of a webhook: address, format and signing keys. Throws SecretUnreadableError. */
export function receiverOf(webhook: StoredWebhook, secrets: Pick<SecretBox, 'open'>, nowMs: number): Receiver {
  const { url, format } = webhook;
  return { url, format, keys: validSecrets(webhook, secrets, nowMs).map(signingKeyOf) };
}
