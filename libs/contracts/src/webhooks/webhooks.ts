import { z } from 'zod';
import { pageQuery, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import {
  DELIVERY_STATUSES,
  MAX_WEBHOOKS_OF_PROJECT,
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookSecretRotation,
  WebhookTest,
  WebhookWithSecret,
} from './webhook.ts';

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
  summary: 'Have events of the project sent to a URL, a chat, or a mail address',
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
  body: WebhookSecretRotation,
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
