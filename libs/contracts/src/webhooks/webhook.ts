import { z } from 'zod';
import { SEVERITIES } from '../diagnostics/detection.ts';
import { EmailAddress } from '../identity/people.ts';
import { EpochMs, textOf } from '../common/primitives.ts';
import { WebhookEventChoice } from './webhook-events.ts';

export const MAX_WEBHOOKS_OF_PROJECT = 20;
/** Maximum time that the old secret stays valid after a rotation. */
export const MAX_SECRET_GRACE_MS = 7 * 24 * 60 * 60 * 1000;
/** Bound of the failure rate where nobody has set one. */
export const DEFAULT_FAILURE_RATE_ABOVE = 0.2;
const DEFAULT_SECRET_GRACE_MS = 24 * 60 * 60 * 1000;

export const WEBHOOK_FORMATS = ['standard', 'slack', 'json', 'email'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const HttpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL, or mailto: and an address', abort: true })
  .max(2_000)
  .refine((url) => {
    const parsed = URL.parse(url);
    return parsed?.username === '' && parsed.password === '' && parsed.hash === '';
  }, 'must have neither credentials nor a fragment');

const MAILTO = 'mailto:';

/** Mail address of a `mailto:` URL; undefined for other URLs. */
export function mailAddressOf(url: string): string | undefined {
  return url.startsWith(MAILTO) ? url.slice(MAILTO.length) : undefined;
}

const MailUrl = z
  .string()
  .max(MAILTO.length + 254)
  .refine((url) => EmailAddress.safeParse(mailAddressOf(url)).success, 'must be mailto: and one mail address');

const Url = z
  .union([HttpUrl, MailUrl])
  .meta({ description: 'An http or https URL; for the format `email`, `mailto:` and one mail address' });

/** Whether letters go to a mail address, and everything else to a URL. */
export function fitsFormat({ url, format }: { url: string; format: WebhookFormat }): boolean {
  return (format === 'email') === (mailAddressOf(url) !== undefined);
}

const Severities = z
  .array(z.enum(SEVERITIES))
  .max(SEVERITIES.length)
  .meta({ description: 'Severities of Findings that are told; an empty list: all' });

const FailureRateAbove = z.number().min(0).max(1).meta({
  description:
    'Bound of `failure_rate.exceeded`: told once when the estimate of the last seven days comes above it, and again after it was below',
});

const Events = z
  .array(WebhookEventChoice)
  .min(1)
  .max(50)
  .refine((events) => new Set(events).size === events.length, 'must not name an event twice');

const Format = z.enum(WEBHOOK_FORMATS).meta({
  description:
    'standard: `{type, timestamp, data}`, as Standard Webhooks have it. json: `data` alone. slack: a message that can be read, for Slack and what takes its messages. email: a letter to the address after `mailto:`, with all that has happened within a minute',
});

const Description = textOf(500);

export const Webhook = z
  .object({
    id: z.string(),
    projectId: z.string(),
    url: z.string(),
    events: z.array(WebhookEventChoice),
    severities: Severities,
    failureRateAbove: FailureRateAbove,
    format: z.enum(WEBHOOK_FORMATS),
    description: z.string(),
    enabled: z.boolean(),
    disabledReason: z.string().nullable().meta({
      description: 'Why nothing is sent any more, where it was not a person who disabled it',
    }),
    disabledAt: EpochMs.nullable(),
    failingSince: EpochMs.nullable().meta({ description: 'First failure since the last delivery that succeeded' }),
    previousSecretValidUntil: EpochMs.nullable().meta({
      description: 'Until then, each delivery also has a signature with the secret before the last rotation',
    }),
    createdAt: EpochMs,
    updatedAt: EpochMs,
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookWithSecret = z
  .object({
    ...Webhook.shape,
    secret: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{43}=$/)
      .meta({
        description: 'Verifies the signatures; shown this once',
        example: 'whsec_k3Zq0vX9mT2bN7cR5yL1wP8dS4fG6hJ0aQxEoUiVtBs=',
      }),
  })
  .meta({ id: 'WebhookWithSecret' });

export const NewWebhook = z
  .strictObject({
    url: Url,
    events: Events,
    severities: Severities.default([]),
    failureRateAbove: FailureRateAbove.default(DEFAULT_FAILURE_RATE_ABOVE),
    format: Format.default('standard'),
    description: Description.default(''),
    enabled: z.boolean().default(true),
  })
  .refine(fitsFormat, { path: ['url'], error: 'must be mailto: and an address for the format email, and only then' });
export type NewWebhook = z.infer<typeof NewWebhook>;

export const WebhookChange = z
  .strictObject({
    url: Url.optional(),
    events: Events.optional(),
    severities: Severities.optional(),
    failureRateAbove: FailureRateAbove.optional(),
    format: Format.optional(),
    description: Description.optional(),
    enabled: z.boolean().optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'must change something');
export type WebhookChange = z.infer<typeof WebhookChange>;

const AnswerSeen = {
  statusCode: z.int().nullable().meta({ description: 'null: no answer came' }),
  durationMs: z.int().min(0),
  error: z.string().nullable().meta({ description: 'Why it failed' }),
  answer: z.string().nullable().meta({ description: 'First bytes of the body that was answered' }),
};

export const WebhookTry = z.object({ at: EpochMs, ...AnswerSeen }).meta({ id: 'WebhookTry' });
export type WebhookTry = z.infer<typeof WebhookTry>;

export const WebhookDelivery = z
  .object({
    id: z.string(),
    webhookId: z.string(),
    eventId: z.string().meta({ description: 'The `webhook-id` of every try: a receiver knows repeats by it' }),
    type: z.string(),
    status: z.enum(DELIVERY_STATUSES).meta({ description: 'failed: no further try is made by itself' }),
    failureReason: z.string().nullable().meta({ description: 'Why no further try is made; null unless it has failed' }),
    data: z.record(z.string(), z.unknown()),
    occurredAt: EpochMs,
    createdAt: EpochMs,
    nextTryAt: EpochMs.nullable().meta({ description: 'Earliest time of the next try' }),
    tries: z.array(WebhookTry).meta({ description: 'The last ones, oldest first' }),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookTest = z.object({ ok: z.boolean(), ...AnswerSeen }).meta({ id: 'WebhookTest' });
export type WebhookTest = z.infer<typeof WebhookTest>;

/** Grace time of a rotation, in milliseconds; a day if the body is empty. */
export const WebhookSecretRotation = z
  .strictObject({ graceMs: z.int().min(0).max(MAX_SECRET_GRACE_MS).default(DEFAULT_SECRET_GRACE_MS) })
  .default({ graceMs: DEFAULT_SECRET_GRACE_MS });
