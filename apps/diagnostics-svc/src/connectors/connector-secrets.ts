import type { JiraCredentials, TokenCredentials } from '@clew/contracts';
import { readJson } from '@clew/kernel';
import type { z } from 'zod';
import type { SecretBox, SecretEnvelope, SecretPlace } from '@clew/secrets';
import type { StoredConnector } from './stored-connector.ts';

export const CONNECTORS_COLLECTION = 'connectors';

export type Credentials = z.infer<typeof TokenCredentials> | z.infer<typeof JiraCredentials>;

type Owner = Pick<StoredConnector, 'projectId' | 'id'>;

/** Place that a secret of a connector is bound to; the former webhook secret keeps the place that it was stored for. */
export function connectorSecretPlace({ projectId, id }: Owner, field: 'credentials' | 'webhookSecret'): SecretPlace {
  return { tenant: projectId, collection: CONNECTORS_COLLECTION, id, field };
}

export function sealCredentials(owner: Owner, credentials: Credentials, secrets: SecretBox): SecretEnvelope {
  return secrets.seal(JSON.stringify(credentials), connectorSecretPlace(owner, 'credentials'));
}

export function sealWebhookSecret(owner: Owner, secret: string, secrets: SecretBox): SecretEnvelope {
  return secrets.seal(secret, connectorSecretPlace(owner, 'webhookSecret'));
}

/** Decrypts the credentials, for one use. Throws SecretUnreadableError. */
export function openCredentials(connector: StoredConnector, secrets: SecretBox): Credentials {
  return readJson(secrets.open(connector.credentials, connectorSecretPlace(connector, 'credentials'))) as Credentials;
}

/** Decrypts the webhook secrets that are valid now: two for a while after a change. Throws SecretUnreadableError. */
export function openWebhookSecrets(connector: StoredConnector, secrets: SecretBox, nowMs: number): string[] {
  const { webhookSecret, formerWebhookSecret } = connector;
  const former =
    formerWebhookSecret !== null && nowMs < formerWebhookSecret.untilMs ? formerWebhookSecret.secret : null;
  const place = connectorSecretPlace(connector, 'webhookSecret');
  return [webhookSecret, former].flatMap((envelope) => (envelope === null ? [] : [secrets.open(envelope, place)]));
}

/**
 * Secrets of the stored connectors. The former webhook secret comes last: a change that happens meanwhile moves a secret
 * there.
 */
export const CONNECTOR_SECRETS = (
  [
    ['credentials', 'credentials'],
    ['webhookSecret', 'webhookSecret'],
    ['formerWebhookSecret.secret', 'webhookSecret'],
  ] as const
).map(([field, bound]) => ({
  collection: CONNECTORS_COLLECTION,
  field,
  placeOf: ({ _id, projectId = '' }: { _id: string; projectId?: string }) =>
    connectorSecretPlace({ projectId, id: _id }, bound),
}));
