import type { NewWorkItem, TrackerProvider } from '@clew/contracts';
import { AppError, canonicalJson } from '@clew/kernel';
import { parseReference, type TrackerConnection } from '@clew/issue-trackers';
import type { Transaction } from '@clew/persistence';
import type { Connectors, StoredConnector } from '../connectors/index.ts';
import type { StoredWorkItem, WorkItemWish } from './work-item.ts';

/** Addresses of the providers themselves. */
const OWN_ADDRESS: Readonly<Record<TrackerProvider, string>> = {
  ...{ github: 'https://github.com', gitlab: 'https://gitlab.com' },
  ...{ jira: 'https://atlassian.net', linear: 'https://api.linear.app' },
};

/** Finds the connector, the destination and the issue that a request means. */
export async function wishOf(
  connectors: Pick<Connectors, 'choose'>,
  tx: Transaction,
  projectId: string,
  { provider, connectorId, destination, existing }: NewWorkItem,
): Promise<WorkItemWish> {
  const connector = await connectors.choose(projectId, { provider, connectorId }, tx);
  if (connector === undefined) throw unavailable('There is no connector for this provider, or it is switched off');
  const place = destination ?? connector.defaultDestination;
  if (existing === undefined && place === null) {
    throw unavailable('The connector has no default destination, and none was named');
  }
  const reference = existing === undefined ? null : referenceOf(existing, connector, place);
  return {
    provider,
    connectorId: connector.id,
    destination: place as WorkItemWish['destination'],
    existing: reference,
  };
}

/** Checks that a replacement leads somewhere else: to another provider, destination or server. */
export async function requireElsewhere(
  connectors: Pick<Connectors, 'read'>,
  tx: Transaction,
  item: StoredWorkItem,
  wish: WorkItemWish,
): Promise<void> {
  const placeOf = ({ provider, destination }: WorkItemWish) => canonicalJson([provider, destination]);
  if (placeOf(item) !== placeOf(wish)) return;
  if (item.connectorId !== wish.connectorId) {
    const [from, to] = [
      await connectors.read(item.projectId, item.connectorId, tx),
      await connectors.read(item.projectId, wish.connectorId, tx),
    ];
    if (from !== undefined && from.baseUrl !== to?.baseUrl) return;
  }
  throw new AppError('VALIDATION_FAILED', 'The replacement leads to the same provider and destination', {
    details: [{ path: 'body.destination', message: 'must differ from that of the work item' }],
  });
}

/** Error for a connector that cannot be used. */
export function unavailable(message: string): AppError {
  return new AppError('WORK_ITEM_PROVIDER_UNAVAILABLE', message);
}

function referenceOf(existing: string, connector: StoredConnector, destination: unknown): string {
  const { provider, baseUrl } = connector;
  const place = { provider, baseUrl: baseUrl ?? OWN_ADDRESS[provider], destination: destination ?? undefined };
  const parsed = parseReference(existing, place as Pick<TrackerConnection, 'provider' | 'baseUrl' | 'destination'>);
  if (parsed.ok) return parsed.externalId;
  throw new AppError('VALIDATION_FAILED', parsed.message, {
    details: [{ path: 'body.existing', message: parsed.message }],
  });
}
