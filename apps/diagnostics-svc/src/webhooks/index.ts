export { createWebhooks, type Webhooks } from './create-webhooks.ts';
export { deliveryModel } from './deliveries/delivery.model.ts';
export { addRateWatches } from './rate/add-rate-watches.ts';
export { rateWatchCollection, rateWatchModel } from './registry/rate-watch.model.ts';
export { webhookCollection, webhookCountModel, webhookModel } from './registry/webhook.model.ts';
export { WEBHOOK_SECRETS } from './registry/webhook.ts';
