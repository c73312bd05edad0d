import {
  TRACKER_BASE_URLS,
  TRACKER_DESTINATIONS,
  WEBHOOK_SECRET_GRACE_MS,
  type Connector,
  type ConnectorChange,
  type NewConnector,
  type TrackerDestination,
  type TrackerProvider,
} from '@clew/contracts';
import { AppError, newId, sha256Hex } from '@clew/kernel';
import type { SecretBox } from '@clew/secrets';
import { sealCredentials, sealWebhookSecret } from './connector-secrets.ts';
import type { StoredConnector } from './stored-connector.ts';

export function newConnector(
  projectId: string,
  input: NewConnector,
  secrets: SecretBox,
  nowMs: number,
): StoredConnector {
  const id = newId('con');
  const { provider, webhookSecret } = input;
  return {
    ...{ id, projectId, provider },
    name: input.name ?? null,
    baseUrl: input.baseUrl ?? null,
    credentials: sealCredentials({ projectId, id }, input.credentials, secrets),
    defaultDestination: input.defaultDestination ?? null,
    webhookSecret: webhookSecret === undefined ? null : sealWebhookSecret({ projectId, id }, webhookSecret, secrets),
    formerWebhookSecret: null,
    enabled: input.enabled,
    isDefault: false,
    revision: 1,
    createdAt: nowMs,
    updatedAt: nowMs,
  };
}

/**
 * Applies a change, all of it but `isDefault`. Credentials are not kept for another origin, unless they are given again:
 * a person who may change the address must not be able to read them that way.
 */
export function changedConnector(
  before: StoredConnector,
  change: ConnectorChange,
  secrets: SecretBox,
  nowMs: number,
): StoredConnector {
  const { provider } = before;
  const baseUrl = change.baseUrl === undefined ? before.baseUrl : change.baseUrl;
  if (baseUrl === null && provider === 'jira') throw invalid('baseUrl', 'is the address of the site');
  if (change.credentials === undefined && originOf(provider, baseUrl) !== originOf(provider, before.baseUrl)) {
    throw invalid('credentials', 'are needed again for another host');
  }
  if (change.credentials !== undefined) requireFitting(provider, change.credentials);
  return {
    ...before,
    name: change.name === undefined ? before.name : change.name,
    baseUrl,
    credentials:
      change.credentials === undefined ? before.credentials : sealCredentials(before, change.credentials, secrets),
    defaultDestination:
      change.defaultDestination === undefined
        ? before.defaultDestination
        : destinationFor(provider, change.defaultDestination),
    ...webhookSecretsAfter(before, change.webhookSecret, secrets, nowMs),
    enabled: change.enabled ?? before.enabled,
    revision: before.revision + 1,
    updatedAt: nowMs,
  };
}

/** Keeps the former secret for a while, in which deliveries that are under way still come; null removes both. */
function webhookSecretsAfter(
  before: StoredConnector,
  given: string | null | undefined,
  secrets: SecretBox,
  nowMs: number,
): Pick<StoredConnector, 'webhookSecret' | 'formerWebhookSecret'> {
  const { webhookSecret, formerWebhookSecret } = before;
  if (given === undefined) return { webhookSecret, formerWebhookSecret };
  if (given === null) return { webhookSecret: null, formerWebhookSecret: null };
  const untilMs = nowMs + WEBHOOK_SECRET_GRACE_MS;
  return {
    webhookSecret: sealWebhookSecret(before, given, secrets),
    formerWebhookSecret: webhookSecret === null ? null : { secret: webhookSecret, untilMs },
  };
}

function requireFitting(provider: TrackerProvider, credentials: NonNullable<ConnectorChange['credentials']>): void {
  if (provider === 'jira' && !('email' in credentials)) throw invalid('credentials.email', 'is needed for Jira');
  if (provider !== 'jira' && 'email' in credentials) throw invalid('credentials.email', 'is only for Jira');
}

function destinationFor(provider: TrackerProvider, given: TrackerDestination | null): TrackerDestination | null {
  if (given === null) return null;
  const parsed = TRACKER_DESTINATIONS[provider].safeParse(given);
  if (!parsed.success) throw invalid('defaultDestination', `is not a destination of ${provider}`);
  return parsed.data;
}

function originOf(provider: TrackerProvider, baseUrl: string | null): string | undefined {
  const url = baseUrl ?? (provider === 'jira' ? null : TRACKER_BASE_URLS[provider]);
  return url === null ? undefined : new URL(url).origin;
}

function invalid(field: string, message: string): AppError {
  const path = `body.${field}`;
  return new AppError('VALIDATION_FAILED', `${path}: ${message}`, { details: [{ path, message }] });
}

/** Connector as callers see it. */
export function connectorView(connector: StoredConnector): Connector {
  const { id, projectId, provider, name, baseUrl, enabled, isDefault, defaultDestination } = connector;
  return {
    ...{ id, projectId, provider, name, baseUrl, enabled, isDefault },
    defaultDestination: defaultDestination === null ? null : { ...defaultDestination },
    hasWebhookSecret: connector.webhookSecret !== null,
    webhookPath: `/v1/webhooks/${provider}/${id}`,
    createdAt: connector.createdAt,
    updatedAt: connector.updatedAt,
  };
}

/** Strong entity tag; it also changes with the secrets, which are never shown. */
export function connectorEtag(connector: StoredConnector): string {
  return `"${sha256Hex(JSON.stringify([connector.revision, connectorView(connector)])).slice(0, 32)}"`;
}

/** Connector that no project has, with a webhook secret. */
export function decoyConnector(secrets: SecretBox, webhookSecret: string): StoredConnector {
  const credentials = { token: webhookSecret };
  return newConnector('none', { provider: 'github', credentials, webhookSecret, enabled: true }, secrets, 0);
}
