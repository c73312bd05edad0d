export { providerWebhookRoutes } from './provider-webhooks.routes.ts';
export { createReceiveDelivery } from './receive-delivery.ts';
