import type { DeliveryStatus, WebhookDelivery, WebhookTry } from '@clew/contracts';
import { derivedId } from '@clew/kernel';
import { HEALTHY, type Health } from '../registry/webhook.ts';
import type { SentEvent } from '../sending/body.ts';
import type { TryOutcome } from '../sending/send.ts';

/** Event for one webhook, in its stored form. */
export interface Delivery extends SentEvent {
  id: string;
  projectId: string;
  webhookId: string;
  /** Conversations whose words it quotes. */
  conversationIds: string[];
  status: DeliveryStatus;
  failureReason: string | null;
  createdAt: number;
  /** Earliest time of the next try; null once none follows. */
  nextTryAt: number | null;
  /** Tries of this round; a redelivery begins another one. */
  tried: number;
  round: number;
  /** The last tries of all rounds, oldest first. */
  tries: WebhookTry[];
}

export type NewDelivery = Pick<
  Delivery,
  'projectId' | 'webhookId' | 'eventId' | 'type' | 'occurredAt' | 'data' | 'conversationIds'
>;

/** Pace of tries. */
export interface DeliveryPace {
  /** Pauses before the second and each further try; after the last one a delivery is given up. */
  pausesMs: readonly number[];
  /** Time without any success after which a webhook is disabled. */
  disableAfterMs: number;
}

/** Number of tries that are kept. */
export const MAX_KEPT_TRIES = 20;
/** Longest pause that a receiver may ask for. */
export const MAX_RETRY_AFTER_MS = 3_600_000;
/** Share by which pauses are lengthened or shortened at random, so that what failed together is not tried together. */
const JITTER = 0.2;
/** Pauses of a receiver that fails, whatever waits for it: from one second up to five minutes. */
const RECEIVER_PAUSE = { firstMs: 1_000, maxMs: 300_000 } as const;

export function deliveryIdOf(webhookId: string, eventId: string): string {
  return derivedId('dlv', webhookId, eventId);
}

export function newDelivery(fields: NewDelivery, nowMs: number): Delivery {
  return {
    ...{ id: deliveryIdOf(fields.webhookId, fields.eventId), ...fields },
    ...{ status: 'pending', failureReason: null, createdAt: nowMs, nextTryAt: nowMs },
    ...{ tried: 0, round: 1, tries: [] },
  };
}

/** Fields of a delivery that a try changes. */
export type AfterTry = Pick<Delivery, 'status' | 'failureReason' | 'nextTryAt' | 'tried'>;

/** Computes what becomes of a delivery by a try. `random` returns 0 to 1. */
export function afterTry(
  { tried }: Pick<Delivery, 'tried'>,
  { ok, retryAfterMs = 0 }: Pick<TryOutcome, 'ok' | 'retryAfterMs'>,
  { pausesMs }: Pick<DeliveryPace, 'pausesMs'>,
  nowMs: number,
  random = Math.random,
): AfterTry {
  const next = { failureReason: null, nextTryAt: null, tried: tried + 1 };
  if (ok) return { ...next, status: 'delivered' };
  const pauseMs = pausesMs[tried];
  if (pauseMs === undefined) return { ...next, status: 'failed', failureReason: 'Every try failed' };
  const jitteredMs = pauseMs * (1 + JITTER * (2 * random() - 1));
  const askedMs = Math.min(MAX_RETRY_AFTER_MS, retryAfterMs);
  return { ...next, status: 'pending', nextTryAt: Math.round(nowMs + Math.max(jitteredMs, askedMs)) };
}

/** How a receiver does after some tries at a time: one success is enough. */
export function afterTries(
  health: Health,
  outcomes: readonly Pick<TryOutcome, 'ok' | 'retryAfterMs'>[],
  { pausesMs }: Pick<DeliveryPace, 'pausesMs'>,
  nowMs: number,
): Health {
  if (outcomes.length === 0 || outcomes.some(({ ok }) => ok)) return HEALTHY;
  const failures = health.failures + 1;
  const firstMs = Math.min(RECEIVER_PAUSE.firstMs, pausesMs[0] ?? RECEIVER_PAUSE.firstMs);
  const ownMs = Math.min(RECEIVER_PAUSE.maxMs, firstMs * 2 ** Math.min(30, failures - 1));
  const askedMs = Math.max(...outcomes.map(({ retryAfterMs = 0 }) => Math.min(MAX_RETRY_AFTER_MS, retryAfterMs)));
  const pausedUntil = nowMs + Math.max(ownMs, askedMs);
  return { failures, failingSince: health.failingSince ?? nowMs, pausedUntil };
}

/** Why a webhook is to be disabled after some tries; undefined if it is not. */
export function reasonToDisable(
  { failingSince }: Pick<Health, 'failingSince'>,
  outcomes: readonly Pick<TryOutcome, 'isGone'>[],
  { disableAfterMs }: Pick<DeliveryPace, 'disableAfterMs'>,
  nowMs: number,
): string | undefined {
  if (outcomes.some(({ isGone }) => isGone)) return 'The receiver answered 410 Gone';
  if (failingSince === null || nowMs - failingSince < disableAfterMs) return undefined;
  return `No delivery has succeeded since ${new Date(failingSince).toISOString()}`;
}

export function tryOf({ at, statusCode, durationMs, error, answer }: TryOutcome): WebhookTry {
  return { at, statusCode, durationMs, error, answer };
}

/** Delivery as callers see it. */
export function deliveryView(delivery: Delivery): WebhookDelivery {
  const { projectId: _project, conversationIds: _of, tried: _tried, round: _round, ...shown } = delivery;
  return shown;
}
