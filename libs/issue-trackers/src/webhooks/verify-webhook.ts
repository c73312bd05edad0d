import { sha256Hex } from '@clew/kernel';
import type { Provider } from '../tracker/connection.ts';
import { gitHubWebhook } from './github-webhook.ts';
import { gitLabWebhook } from './gitlab-webhook.ts';
import { jiraWebhook } from './jira-webhook.ts';
import { jsonOf, jsonOfForm } from './json-of.ts';
import { linearWebhook } from './linear-webhook.ts';
import {
  headersOf,
  type VerifiedWebhook,
  type WebhookDelivery,
  type WebhookOptions,
  type WebhookRules,
} from './webhook.ts';

const RULES: Readonly<Record<Provider, WebhookRules>> = {
  github: gitHubWebhook,
  gitlab: gitLabWebhook,
  jira: jiraWebhook,
  linear: linearWebhook,
};

const MAX_ID_LENGTH = 200;

/**
 * Verifies that a webhook is from the provider, on the bytes that were received, and reads which issue changed. Nothing
 * of the body is read before its signature was checked.
 */
export function verifyWebhook(provider: Provider, delivery: WebhookDelivery, options: WebhookOptions): VerifiedWebhook {
  const rules = RULES[provider];
  const refusal = rules.refusalOf(delivery, options);
  if (refusal !== undefined) return refusal;
  const header = headersOf(delivery);
  const isForm = header('content-type')?.startsWith('application/x-www-form-urlencoded') === true;
  const event = rules.eventOf(isForm ? jsonOfForm(delivery.body) : jsonOf(delivery.body), header);
  if (event === undefined) {
    return { kind: 'refused', reason: 'content', message: 'The webhook is not in the form of the provider' };
  }
  const contentHash = sha256Hex(delivery.body);
  const deliveryId = (rules.deliveryIdOf(header) ?? contentHash).slice(0, MAX_ID_LENGTH);
  return { kind: 'accepted', deliveryId, contentHash, event };
}
