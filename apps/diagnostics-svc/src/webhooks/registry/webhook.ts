import { randomBytes } from 'node:crypto';
import type { NewWebhook, Severity, Webhook, WebhookChange, WebhookEventType, WebhookFormat } from '@clew/contracts';
import { sha256Hex } from '@clew/kernel';
import type { SecretBox, SecretEnvelope, SecretPlace } from '@clew/secrets';

/** Webhook in its stored form. */
export interface StoredWebhook {
  id: string;
  projectId: string;
  url: string;
  /** Chosen types; `*` and `finding.*` stand for several. */
  events: string[];
  /** Severities of Findings that are told; none named: all. */
  severities: Severity[];
  /** Bound of the failure rate. */
  failureRateAbove: number;
  format: WebhookFormat;
  description: string;
  enabled: boolean;
  disabledReason: string | null;
  disabledAt: number | null;
  secret: SecretEnvelope;
  previousSecret: SecretEnvelope | null;
  previousSecretValidUntil: number | null;
  /** Number that grows with every change by people, and when it is disabled. */
  revision: number;
  createdAt: number;
  updatedAt: number;
  /** How its receiver does. */
  failures: number;
  failingSince: number | null;
  pausedUntil: number;
}

/** How a receiver does: `failures` counts the tries since the last one that succeeded. */
export type Health = Pick<StoredWebhook, 'failures' | 'failingSince' | 'pausedUntil'>;

export const HEALTHY: Health = { failures: 0, failingSince: null, pausedUntil: 0 };
export const WEBHOOKS_COLLECTION = 'webhooks';

const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';

type SecretField = 'secret' | 'previousSecret';

export function webhookSecretPlace(projectId: string, id: string, field: SecretField): SecretPlace {
  return { tenant: projectId, collection: WEBHOOKS_COLLECTION, id, field };
}

/**
 * Secrets of the stored webhooks. The previous one comes last: a rotation that happens meanwhile moves a secret there.
 */
export const WEBHOOK_SECRETS = (['secret', 'previousSecret'] as const).map((field) => ({
  collection: WEBHOOKS_COLLECTION,
  field,
  placeOf: ({ _id, projectId = '' }: { _id: string; projectId?: string }) => webhookSecretPlace(projectId, _id, field),
}));

/** Makes a signing secret in the form of Standard Webhooks. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Bytes that sign, from a secret in the form of Standard Webhooks. */
export function signingKeyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
}

export function newWebhook(
  { id, projectId, secret }: { id: string; projectId: string; secret: string },
  input: NewWebhook,
  secrets: Pick<SecretBox, 'seal'>,
  nowMs: number,
): StoredWebhook {
  return {
    ...{ id, projectId, ...input, ...HEALTHY, disabledReason: null, disabledAt: null },
    secret: secrets.seal(secret, webhookSecretPlace(projectId, id, 'secret')),
    ...{ previousSecret: null, previousSecretValidUntil: null },
    ...{ revision: 1, createdAt: nowMs, updatedAt: nowMs },
  };
}

/** Applies a change by people. One that is enabled, or leads elsewhere, is given another chance. */
export function changedWebhook(webhook: StoredWebhook, change: WebhookChange, nowMs: number): StoredWebhook {
  const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as WebhookChange;
  const beginsAnew = change.enabled === true || (change.url !== undefined && change.url !== webhook.url);
  const isEnabledAnew = change.enabled === true ? { disabledReason: null, disabledAt: null } : {};
  return {
    ...{ ...webhook, ...(set as Partial<StoredWebhook>), ...isEnabledAnew, ...(beginsAnew ? HEALTHY : {}) },
    ...{ revision: webhook.revision + 1, updatedAt: nowMs },
  };
}

/** Gives a webhook a new secret; the present one stays valid for the grace time, and one before it no longer. */
export function rotatedWebhook(
  webhook: StoredWebhook,
  { secret, graceMs }: { secret: string; graceMs: number },
  secrets: SecretBox,
  nowMs: number,
): StoredWebhook {
  const { id, projectId } = webhook;
  const present = secrets.open(webhook.secret, webhookSecretPlace(projectId, id, 'secret'));
  const previous = secrets.seal(present, webhookSecretPlace(projectId, id, 'previousSecret'));
  return {
    ...webhook,
    secret: secrets.seal(secret, webhookSecretPlace(projectId, id, 'secret')),
    previousSecret: graceMs === 0 ? null : previous,
    previousSecretValidUntil: graceMs === 0 ? null : nowMs + graceMs,
    ...{ revision: webhook.revision + 1, updatedAt: nowMs },
  };
}

/** Secrets that sign now, the present one first. Throws SecretUnreadableError. */
export function validSecrets(webhook: StoredWebhook, secrets: Pick<SecretBox, 'open'>, nowMs: number): string[] {
  const { id, projectId, previousSecret, previousSecretValidUntil } = webhook;
  const present = secrets.open(webhook.secret, webhookSecretPlace(projectId, id, 'secret'));
  if (previousSecret === null || (previousSecretValidUntil ?? 0) <= nowMs) return [present];
  return [present, secrets.open(previousSecret, webhookSecretPlace(projectId, id, 'previousSecret'))];
}

/** Whether the webhook chose events of the type. One that cannot be synchronized is a work item that changed. */
export function wantsType({ events }: Pick<StoredWebhook, 'events'>, type: WebhookEventType): boolean {
  const subject = type.slice(0, type.indexOf('.'));
  const choices = ['*', `${subject}.*`, type, ...(type === 'work_item.sync_failed' ? ['work_item.changed'] : [])];
  return events.some((choice) => choices.includes(choice));
}

/** Whether the webhook chose an event: its type, and for Findings their severity. */
export function wants(
  webhook: Pick<StoredWebhook, 'events' | 'severities'>,
  { type, data }: { type: WebhookEventType; data: Readonly<Record<string, unknown>> },
): boolean {
  if (!wantsType(webhook, type)) return false;
  const isOfFinding = type.startsWith('finding.') && webhook.severities.length > 0;
  return !isOfFinding || webhook.severities.some((severity) => severity === data['severity']);
}

/** Webhook as callers see it. */
export function webhookView(webhook: StoredWebhook, nowMs: number): Webhook {
  const { secret: _secret, previousSecret: _previous, previousSecretValidUntil, ...fields } = webhook;
  const { revision: _revision, failures: _failures, pausedUntil: _paused, ...shown } = fields;
  const isValid = previousSecretValidUntil !== null && previousSecretValidUntil > nowMs;
  return { ...shown, previousSecretValidUntil: isValid ? previousSecretValidUntil : null };
}

/** Strong entity tag, of what people set; how its receiver does is no part of it. */
export function webhookEtag({ id, revision }: StoredWebhook): string {
  return `"${sha256Hex(JSON.stringify([id, revision])).slice(0, 32)}"`;
}
