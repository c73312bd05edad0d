export { createWebhooks, type Webhooks } from './create-webhooks.ts';
export { deliveryModel } from './deliveries/delivery.model.ts';
export { webhookCollection, webhookCountModel, webhookModel } from './registry/webhook.model.ts';
export { webhookSecretPlace, WEBHOOKS_COLLECTION } from './registry/webhook.ts';
