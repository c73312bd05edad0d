import { z } from 'zod';
import { EpochMs, pageQuery, ProjectParams, textOf } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { WebhookEventChoice } from './webhook-events.ts';

export const MAX_WEBHOOKS_OF_PROJECT = 20;
/** Maximum time that the old secret stays valid after a rotation. */
export const MAX_SECRET_GRACE_MS = 7 * 24 * 60 * 60 * 1000;
const DEFAULT_SECRET_GRACE_MS = 24 * 60 * 60 * 1000;

export const WEBHOOK_FORMATS = ['standard', 'slack', 'json'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const Url = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL', abort: true })
  .max(2_000)
  .refine((url) => {
    const parsed = URL.parse(url);
    return parsed?.username === '' && parsed.password === '' && parsed.hash === '';
  }, 'must have neither credentials nor a fragment');

const Events = z
  .array(WebhookEventChoice)
  .min(1)
  .max(50)
  .refine((events) => new Set(events).size === events.length, 'must not name an event twice');

const Format = z.enum(WEBHOOK_FORMATS).meta({
  description:
    'standard: `{type, timestamp, data}`, as Standard Webhooks have it. json: `data` alone. slack: a message that can be read, for Slack and what takes its messages',
});

const Description = textOf(500);

export const Webhook = z
  .object({
    id: z.string(),
    projectId: z.string(),
    url: z.string(),
    events: z.array(WebhookEventChoice),
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

export const NewWebhook = z.strictObject({
  url: Url,
  events: Events,
  format: Format.default('standard'),
  description: Description.default(''),
  enabled: z.boolean().default(true),
});
export type NewWebhook = z.infer<typeof NewWebhook>;

export const WebhookChange = z
  .strictObject({
    url: Url.optional(),
    events: Events.optional(),
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

const READ = { kind: 'caller', scopes: ['diagnostics:read'], permissions: ['project:diagnostics:read'] } as const;
const WRITE = { kind: 'caller', scopes: ['diagnostics:write'], permissions: ['project:diagnostics:write'] } as const;
const ALL = {
  service: 'diagnostics-svc',
  tag: 'Webhooks',
  path: '/v1/projects/:projectId/webhooks',
  params: ProjectParams,
} as const;
const ONE = {
  ...ALL,
  path: `${ALL.path}/:webhookId`,
  params: ProjectParams.extend({ webhookId: z.string() }),
} as const;
const DELIVERY = {
  ...ALL,
  path: `${ONE.path}/deliveries/:deliveryId`,
  params: ONE.params.extend({ deliveryId: z.string() }),
} as const;

export const createWebhook = defineRoute({
  ...ALL,
  operationId: 'createWebhook',
  sdk: 'webhooks.create',
  conditional: true,
  method: 'post',
  summary: 'Have events of the project sent to a URL',
  description:
    `Each event is a POST that is signed as Standard Webhooks have it, and sent until a 2xx answers, for about three days; ` +
    `the order is not promised, and the same event may come twice, with the same \`webhook-id\`. A project has at most ${MAX_WEBHOOKS_OF_PROJECT} webhooks.`,
  access: WRITE,
  body: NewWebhook,
  responses: { 201: WebhookWithSecret },
  errors: ['OUTBOUND_REFUSED', 'TOO_MANY_WEBHOOKS'],
});

export const listWebhooks = defineRoute({
  ...ALL,
  operationId: 'listWebhooks',
  sdk: 'webhooks.list',
  method: 'get',
  summary: 'List the webhooks, newest first',
  description:
    'A webhook is an address that is told of Findings, work items, Knowledge, Datasets and backfills as they change. Secrets are never shown.',
  access: READ,
  query: z.strictObject(pageQuery(100, 100)),
  responses: { 200: z.object({ webhooks: z.array(Webhook), nextCursor: z.string().nullable() }) },
});

export const getWebhook = defineRoute({
  ...ONE,
  operationId: 'getWebhook',
  sdk: 'webhooks.get',
  conditional: true,
  method: 'get',
  summary: 'Read one webhook',
  description: 'The answer carries a strong `ETag`, which a PATCH or DELETE may name in `If-Match`.',
  access: READ,
  responses: { 200: Webhook },
  errors: ['WEBHOOK_NOT_FOUND'],
});

export const updateWebhook = defineRoute({
  ...ONE,
  operationId: 'updateWebhook',
  sdk: 'webhooks.update',
  conditional: true,
  method: 'patch',
  summary: 'Change a webhook, or enable or disable it',
  description:
    'A webhook that is disabled gets nothing, and what waited for it fails. With `If-Match`, 412 when the webhook is no ' +
    'longer what that `ETag` names.',
  access: WRITE,
  body: WebhookChange,
  responses: { 200: Webhook },
  errors: ['OUTBOUND_REFUSED', 'WEBHOOK_NOT_FOUND'],
});

export const deleteWebhook = defineRoute({
  ...ONE,
  operationId: 'deleteWebhook',
  sdk: 'webhooks.delete',
  conditional: true,
  method: 'delete',
  summary: 'Delete a webhook with its deliveries',
  description: 'Nothing more is sent to it.',
  access: WRITE,
  responses: { 204: null },
  errors: ['WEBHOOK_NOT_FOUND'],
});

export const rotateWebhookSecret = defineRoute({
  ...ONE,
  path: `${ONE.path}/rotate`,
  operationId: 'rotateWebhookSecret',
  sdk: 'webhooks.rotateSecret',
  conditional: true,
  changesNamed: true,
  method: 'post',
  summary: 'Make a new secret; the old one stays valid beside it for the grace time',
  description: 'During the grace time each delivery has a signature with either secret.',
  access: WRITE,
  body: z
    .strictObject({ graceMs: z.int().min(0).max(MAX_SECRET_GRACE_MS).default(DEFAULT_SECRET_GRACE_MS) })
    .default({ graceMs: DEFAULT_SECRET_GRACE_MS }),
  responses: { 200: WebhookWithSecret },
  errors: ['WEBHOOK_NOT_FOUND'],
});

export const testWebhook = defineRoute({
  ...ONE,
  path: `${ONE.path}/test`,
  operationId: 'testWebhook',
  sdk: 'webhooks.test',
  method: 'post',
  summary: 'Send a `ping` now, also to a webhook that is disabled, and say what came back',
  description: 'What came back is in the answer, which is 200 also if it could not be delivered.',
  access: WRITE,
  responses: { 200: WebhookTest },
  errors: ['WEBHOOK_NOT_FOUND'],
});

export const listWebhookDeliveries = defineRoute({
  ...ONE,
  path: `${ONE.path}/deliveries`,
  operationId: 'listWebhookDeliveries',
  sdk: 'webhooks.deliveries.list',
  method: 'get',
  summary: 'List the deliveries of a webhook, newest first',
  description: 'With every try: when, how long, and what was answered. A delivery is tried for three days.',
  access: READ,
  query: z.strictObject({ status: z.enum(DELIVERY_STATUSES).optional(), ...pageQuery(500, 100) }),
  responses: { 200: z.object({ deliveries: z.array(WebhookDelivery), nextCursor: z.string().nullable() }) },
  errors: ['WEBHOOK_NOT_FOUND'],
});

export const getWebhookDelivery = defineRoute({
  ...DELIVERY,
  operationId: 'getWebhookDelivery',
  sdk: 'webhooks.deliveries.get',
  method: 'get',
  summary: 'Read one delivery, with its tries',
  description: 'What was sent, and what each try was answered.',
  access: READ,
  responses: { 200: WebhookDelivery },
  errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DELIVERY_NOT_FOUND'],
});

export const redeliverWebhook = defineRoute({
  ...DELIVERY,
  path: `${DELIVERY.path}/redeliver`,
  operationId: 'redeliverWebhook',
  sdk: 'webhooks.deliveries.redeliver',
  method: 'post',
  summary: 'Send an event once more, whatever came of it before',
  description: 'Under the same `webhook-id`; where that fails, further tries follow as for a new event.',
  access: WRITE,
  responses: { 202: WebhookDelivery },
  errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DELIVERY_NOT_FOUND', 'WEBHOOK_DISABLED'],
});
