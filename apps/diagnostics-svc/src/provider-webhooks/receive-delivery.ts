import { randomUUID } from 'node:crypto';
import { TrackerProviderName, type ProviderDelivery } from '@clew/contracts';
import { verifyWebhook, type VerifiedWebhook, type WebhookDelivery } from '@clew/issue-trackers';
import { AppError, notFound, type Clock } from '@clew/kernel';
import type { Database, Inbox, Transaction } from '@clew/persistence';
import type { SecretBox } from '@clew/secrets';
import {
  decoyConnector,
  openWebhookSecrets,
  type ConnectorStore,
  type OnIssueTouched,
  type StoredConnector,
} from '../connectors/index.ts';

export interface ReceiveDeliveryDependencies {
  database: Pick<Database, 'withTransaction'>;
  connectors: Pick<ConnectorStore, 'findByAddress'>;
  secrets: SecretBox;
  /** Deliveries that were taken before. */
  inbox: Inbox;
  clock: Clock;
  onIssueTouched: OnIssueTouched;
}

export interface AddressedDelivery {
  provider: string;
  connectorId: string;
  delivery: WebhookDelivery;
}

/** Verifies a delivery and takes it once. */
export type ReceiveDelivery = (addressed: AddressedDelivery) => Promise<ProviderDelivery['outcome']>;

export function createReceiveDelivery(deps: ReceiveDeliveryDependencies): ReceiveDelivery {
  const { database, connectors, secrets, inbox, clock } = deps;
  // Stands in for a connector that does not exist, so that the answer takes as long.
  const decoy = decoyConnector(secrets, randomUUID());

  return async ({ provider: name, connectorId, delivery }) => {
    const provider = TrackerProviderName.safeParse(name).data;
    const found = await connectors.findByAddress(connectorId);
    const isMeant = found !== undefined && found.provider === provider && found.enabled && found.webhookSecret !== null;
    const connector = isMeant ? found : decoy;
    const nowMs = clock.now();
    const given = { secrets: openWebhookSecrets(connector, secrets, nowMs), nowMs };
    const verified = verifyWebhook(provider ?? decoy.provider, delivery, given);
    if (!isMeant || isUnsigned(verified)) throw notAccepted();
    if (verified.kind === 'refused') throw new AppError('WEBHOOK_REFUSED', verified.message);
    const { event } = verified;
    if (event.kind === 'other') return 'ignored';
    return await database.withTransaction(async (tx) => {
      if (!(await isNew(tx, connector, verified))) return 'seen_before';
      await deps.onIssueTouched(tx, { projectId: connector.projectId, connectorId, externalId: event.externalId });
      return 'accepted';
    });
  };

  /** Remembers a delivery. A repeat may have another id, which some providers do not sign, but has the same body. */
  async function isNew(
    tx: Transaction,
    { id }: StoredConnector,
    { deliveryId, contentHash }: Extract<VerifiedWebhook, { kind: 'accepted' }>,
  ): Promise<boolean> {
    const marks = [`${id}:delivery:${deliveryId}`, `${id}:body:${contentHash}`];
    return (await inbox.accept(tx, marks)).size === marks.length;
  }
}

function isUnsigned(verified: VerifiedWebhook): boolean {
  return verified.kind === 'refused' && verified.reason === 'signature';
}

/** Answer for an unknown connector and for a wrong signature alike: a caller without the secret learns nothing. */
function notAccepted(): AppError {
  return notFound(
    'CONNECTOR_NOT_FOUND',
    'There is no such connector, or the delivery is not signed with its webhook secret',
  );
}
