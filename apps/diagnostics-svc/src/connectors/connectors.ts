import type { TrackerDestination, TrackerProvider } from '@clew/contracts';
import { openTracker, TrackerConnection, type IssueTracker } from '@clew/issue-trackers';
import type { Clock } from '@clew/kernel';
import type { Outbound } from '@clew/outbound';
import type { Transaction } from '@clew/persistence';
import type { SecretBox } from '@clew/secrets';
import { openCredentials } from './connector-secrets.ts';
import type { StoredConnector } from './stored-connector.ts';
import type { ConnectorStore } from './connectors.store.ts';

/** Connectors of projects, for everything that calls an issue tracker. */
export interface Connectors {
  /** Finds the named connector of the provider, or its default one; undefined if it is missing or disabled. */
  choose(
    projectId: string,
    wanted: { provider: TrackerProvider; connectorId?: string | undefined },
    tx?: Transaction,
  ): Promise<StoredConnector | undefined>;
  /** Reads a connector, also a disabled one. */
  read(projectId: string, connectorId: string, tx?: Transaction): Promise<StoredConnector | undefined>;
  /**
   * Opens the issue tracker with the decrypted credentials, for one use, in the given destination or the default one.
   * Throws SecretUnreadableError if they were stored under another AUTH_SECRET.
   */
  trackerOf(connector: StoredConnector, destination?: TrackerDestination | null): IssueTracker;
}

export interface ConnectorParts {
  store: Pick<ConnectorStore, 'find' | 'defaults'>;
  secrets: SecretBox;
  outbound: Pick<Outbound, 'fetch'>;
  clock: Clock;
}

export function createConnectors({ store, secrets, outbound, clock }: ConnectorParts): Connectors {
  return {
    async choose(projectId, { provider, connectorId }, tx) {
      const id = connectorId ?? (await store.defaults(projectId, tx))[provider];
      const found = id === undefined ? undefined : await store.find(projectId, id, tx);
      return found?.provider === provider && found.enabled ? found : undefined;
    },
    read: (projectId, connectorId, tx) => store.find(projectId, connectorId, tx),
    trackerOf(connector, destination = connector.defaultDestination) {
      const { provider, baseUrl } = connector;
      const connection = TrackerConnection.parse({
        provider,
        baseUrl: baseUrl ?? undefined,
        credentials: openCredentials(connector, secrets),
        destination: destination ?? undefined,
      });
      return openTracker(connection, { fetch: outbound.fetch, clock });
    },
  };
}
