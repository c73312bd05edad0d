import { createLimiter, type Clock } from '@clew/kernel';
import type { Claimed, TaskContext } from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { SecretBox } from '@clew/secrets';
import { EVENTS_OF_LETTER } from '../sending/letter.ts';
import { HEALTHY, signingKeyOf, validSecrets, type Health, type StoredWebhook } from '../registry/webhook.ts';
import type { WebhookDocument } from '../registry/webhook.model.ts';
import type { WebhookStore } from '../registry/webhooks.store.ts';
import type { Receiver, Send } from '../sending/send.ts';
import type { DeliveryStore, NotedTry } from './deliveries.store.ts';
import { afterTries, afterTry, reasonToDisable, type Delivery, type DeliveryPace } from './delivery.ts';
import type { Lingering } from './lingering.ts';

export interface ServeDependencies {
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  secrets: SecretBox;
  send: Send;
  pace: DeliveryPace;
  lingering: Lingering;
  clock: Clock;
  logger: Logger;
}

/** Tries of one webhook at a time. */
const MAX_AT_A_TIME = 16;
/** Deliveries that are read and noted together: more while the receiver answers; one that failed last gets one. */
const FIRST_PAGE = 4;
const MAX_PAGE = 128;
/** Time between two letters of a webhook: what happens meanwhile is told together. */
const LETTER_PAUSE_MS = 60_000;
/** Time after which a webhook makes room for others, if they wait. */
const SLICE_MS = 5_000;
/** Deliveries that may wait for a receiver that fails. */
const MAX_WAITING = 100_000;
const DISABLED = 'The webhook is disabled';
const TOO_MANY_WAIT = `More than ${MAX_WAITING} deliveries wait for the receiver`;

/** Creates the functions that serve a claimed webhook, and that disable one. */
export function createServe(deps: ServeDependencies) {
  const { webhooks, deliveries, send, pace, lingering, clock, logger } = deps;

  /**
   * Tries deliveries, a few at a time, until one fails or others should have their turn. Those that were not tried, or
   * of which nothing is known, stay due.
   */
  async function tryPage(
    webhook: StoredWebhook,
    due: readonly Delivery[],
    { signal, mayBegin }: { signal: AbortSignal; mayBegin: () => boolean },
  ): Promise<NotedTry[]> {
    const receiver = receiverOf(webhook, deps.secrets, clock.now());
    const places = createLimiter(MAX_AT_A_TIME);
    let hasFailed = false;
    const attempt = async (together: Together): Promise<NotedTry[]> => {
      const outcome = hasFailed || !mayBegin() ? undefined : await send(receiver, together, signal);
      if (outcome === undefined) return [];
      hasFailed ||= !outcome.ok;
      return together.map((delivery) => ({
        ...{ delivery, outcome, after: afterTry(delivery, outcome, pace, clock.now()) },
      }));
    };
    const groups = togetherOf(webhook, due);
    return (await Promise.all(groups.map((group) => places.run(() => attempt(group))))).flat();
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
  async function serve(claimed: Claimed<WebhookDocument>, context: TaskContext, lingerMs: number): Promise<void> {
    const untilMs = performance.now() + SLICE_MS;
    const mayBegin = () => !context.stopping.aborted && performance.now() <= untilMs;
    let [pageSize, mayLinger] = [FIRST_PAGE, false];
    for (;;) {
      const webhook = await webhooks.held(claimed);
      if (webhook === undefined || !mayBegin()) return;
      if (!webhook.enabled) await deliveries.failWaiting(webhook, DISABLED);
      if (webhook.pausedUntil > clock.now()) return;
      const due = await deliveries.due(webhook, clock.now(), pageOf(webhook, pageSize));
      if (due.length === 0) {
        if (!mayLinger) return;
        mayLinger = false;
        await lingering.wait(webhook.id, lingerMs);
        continue;
      }
      context.heartbeat();
      const noted = await tryPage(webhook, due, { signal: context.signal, mayBegin });
      await deliveries.note(noted);
      if (noted.length === 0) return;
      mayLinger = lingerMs > 0;
      const outcomes = noted.map(({ outcome }) => outcome);
      const health = afterTries(webhook, outcomes, pace, clock.now());
      const reason = await disabledBy(webhook, health, noted);
      if (reason !== undefined) await disable(webhook, reason);
      if (webhook.format === 'email' && health.failures === 0) {
        return await webhooks.setHealth(webhook, { ...HEALTHY, pausedUntil: clock.now() + LETTER_PAUSE_MS });
      }
      if (health.failures > 0 || webhook.failures > 0) await webhooks.setHealth(webhook, health);
      pageSize = Math.min(MAX_PAGE, 2 * pageSize);
    }
  }

  return { serve, disable };
}

/** Deliveries that are sent together. */
type Together = readonly [Delivery, ...Delivery[]];

/** Groups deliveries by what is sent together: all in one letter, and each by itself over HTTP. */
function togetherOf({ format }: StoredWebhook, due: readonly Delivery[]): Together[] {
  const [first, ...others] = due;
  if (first === undefined) return [];
  return format === 'email' ? [[first, ...others]] : due.map((delivery) => [delivery]);
}

/** Number of deliveries to read: one as long as the receiver fails, and as many as a letter holds. */
function pageOf({ format, failures }: StoredWebhook, pageSize: number): number {
  if (format === 'email') return EVENTS_OF_LETTER;
  return failures > 0 ? 1 : pageSize;
}

/** Receiver of a webhook: address, format and signing keys. Throws SecretUnreadableError. */
export function receiverOf(webhook: StoredWebhook, secrets: Pick<SecretBox, 'open'>, nowMs: number): Receiver {
  const { url, format } = webhook;
  return { url, format, keys: validSecrets(webhook, secrets, nowMs).map(signingKeyOf) };
}
