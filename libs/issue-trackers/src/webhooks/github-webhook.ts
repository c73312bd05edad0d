import { z } from 'zod';
import { gitHubExternalId, parseGitHubExternalId } from '../github/github-reference.ts';
import { isHexHmac } from './signatures.ts';
import { headersOf, UNSIGNED, type WebhookEvent, type WebhookRules } from './webhook.ts';

const Payload = z.object({
  action: z.string().optional(),
  issue: z.object({ number: z.int(), pull_request: z.looseObject({}).nullish() }).optional(),
  repository: z.object({ name: z.string(), owner: z.object({ login: z.string() }) }).optional(),
});

const CHANGES: Readonly<Record<string, Extract<WebhookEvent, { kind: 'issue' }>['change']>> = {
  deleted: 'deleted',
  transferred: 'moved',
};

export const gitHubWebhook: WebhookRules = {
  refusalOf(delivery, { secrets }) {
    const signature = headersOf(delivery)('x-hub-signature-256');
    const hex = signature?.startsWith('sha256=') === true ? signature.slice('sha256='.length) : undefined;
    return isHexHmac(hex, delivery.body, secrets) ? undefined : UNSIGNED;
  },
  deliveryIdOf: (header) => header('x-github-delivery'),
  eventOf(json, header) {
    const payload = Payload.safeParse(json).data;
    if (payload === undefined) return undefined;
    const { action = '', issue, repository } = payload;
    if (header('x-github-event') !== 'issues' || issue?.pull_request != null) return { kind: 'other' };
    if (issue === undefined || repository === undefined) return undefined;
    const externalId = gitHubExternalId({ owner: repository.owner.login, repo: repository.name, number: issue.number });
    if (parseGitHubExternalId(externalId) === undefined) return undefined;
    return { kind: 'issue', externalId, change: CHANGES[action] ?? 'changed' };
  },
};
