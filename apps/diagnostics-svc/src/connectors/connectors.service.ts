import { MAX_CONNECTORS, type Connector, type ConnectorChange, type Doer, type NewConnector } from '@clew/contracts';
import { AppError, notFound, page, type Clock, type CursorCodec, type PageQuery } from '@clew/kernel';
import { OutboundRefusedError, type Outbound } from '@clew/outbound';
import type { AuditTrail, Database, Deed, Tombstones, Transaction } from '@clew/persistence';
import type { SecretBox } from '@clew/secrets';
import { changedConnector, connectorView, newConnector } from './connector.ts';
import type { StoredConnector } from './stored-connector.ts';
import { CONNECTORS, type ConnectorStore } from './connectors.store.ts';

export interface ConnectorsDependencies {
  database: Pick<Database, 'withTransaction'>;
  connectors: ConnectorStore;
  audit: AuditTrail;
  tombstones: Pick<Tombstones, 'set' | 'among'>;
  secrets: SecretBox;
  outbound: Pick<Outbound, 'checkUrl'>;
  cursors: CursorCodec;
  clock: Clock;
}

export interface ConnectorKey {
  projectId: string;
  connectorId: string;
}

export interface ChangeConditions {
  doer: Doer;
  /** Checks the connector before the change; it may throw. */
  check: (current: StoredConnector) => void;
}

export type ConnectorsService = ReturnType<typeof createConnectorsService>;

export function createConnectorsService(deps: ConnectorsDependencies) {
  const { database, connectors, audit, tombstones, secrets, outbound, cursors, clock } = deps;

  async function require({ projectId, connectorId }: ConnectorKey, tx?: Transaction): Promise<StoredConnector> {
    const found = await connectors.find(projectId, connectorId, tx);
    if (found === undefined) throw connectorNotFound();
    return found;
  }

  return {
    async create(
      projectId: string,
      input: NewConnector,
      doer: Doer,
      inTransaction: (tx: Transaction, created: StoredConnector) => Promise<void>,
    ): Promise<StoredConnector> {
      requireCallable(outbound, input.baseUrl);
      const fresh = newConnector(projectId, input, secrets, clock.now());
      return await database.withTransaction(async (tx) => {
        requireRoom(await connectors.count(tx, projectId, 1));
        const { [fresh.provider]: standing } = await connectors.defaults(projectId, tx);
        const created = { ...fresh, isDefault: input.isDefault ?? standing === undefined };
        if (created.isDefault) await connectors.setDefault(tx, projectId, created.provider, created.id);
        await connectors.insert(tx, created);
        await audit.record(tx, doer, deedOn(created, 'created'), { before: null, after: connectorView(created) });
        await inTransaction(tx, created);
        return created;
      });
    },

    async list(projectId: string, query: PageQuery): Promise<{ connectors: Connector[]; nextCursor: string | null }> {
      const { items, nextCursor } = await page(cursors, CONNECTORS, { projectId, ...query }, (slice) =>
        connectors.list(projectId, slice),
      );
      return { connectors: items.map(connectorView), nextCursor };
    },

    get: (key: ConnectorKey): Promise<StoredConnector> => require(key),

    async update(
      key: ConnectorKey,
      change: ConnectorChange,
      { doer, check }: ChangeConditions,
    ): Promise<StoredConnector> {
      requireCallable(outbound, change.baseUrl);
      return await database.withTransaction(async (tx) => {
        const before = await require(key, tx);
        check(before);
        const changed = changedConnector(before, change, secrets, clock.now());
        const isDefault = change.isDefault ?? before.isDefault;
        if (isDefault !== before.isDefault) {
          await connectors.setDefault(tx, key.projectId, before.provider, isDefault ? before.id : null);
        }
        await connectors.replace(tx, changed);
        const after = { ...changed, isDefault };
        const views = { before: connectorView(before), after: connectorView(after) };
        await audit.record(tx, doer, deedOn(before, 'changed'), { ...views, also: secretsIn(change) });
        return after;
      });
    },

    /** Removes a connector; a repeat finds it removed. */
    async remove(key: ConnectorKey, { doer, check }: ChangeConditions): Promise<void> {
      const { projectId, connectorId } = key;
      const known = await connectors.find(projectId, connectorId);
      if (known === undefined) {
        if ((await tombstones.among(projectId, [connectorId])).size === 0) throw connectorNotFound();
        return;
      }
      check(known);
      // First, so that a repeat after a crash finds it. A tombstone beside a connector that stayed says nothing.
      await tombstones.set(projectId, [connectorId]);
      await database.withTransaction(async (tx) => {
        const current = await connectors.find(projectId, connectorId, tx);
        if (current === undefined) return;
        check(current);
        await connectors.count(tx, projectId, -1);
        if (current.isDefault) await connectors.setDefault(tx, projectId, current.provider, null);
        await connectors.remove(tx, projectId, connectorId);
        await audit.record(tx, doer, deedOn(current, 'deleted'), { before: connectorView(current), after: null });
      });
    },
  };
}

function deedOn({ projectId, id }: StoredConnector, deed: 'created' | 'changed' | 'deleted'): Deed {
  return { projectId, action: `connector.${deed}`, target: { kind: 'connector', id } };
}

/** Names of the secrets that a change sets, whose values no view shows. */
function secretsIn({ credentials, webhookSecret }: ConnectorChange): object {
  return {
    ...(credentials === undefined ? {} : { credentials: 'changed' }),
    ...(webhookSecret === undefined ? {} : { webhookSecret: 'changed' }),
  };
}

export function connectorNotFound(): AppError {
  return notFound('CONNECTOR_NOT_FOUND', 'The connector does not exist');
}

function requireRoom(count: number): void {
  if (count <= MAX_CONNECTORS) return;
  throw new AppError('TOO_MANY_CONNECTORS', `A project has at most ${MAX_CONNECTORS} connectors`);
}

function requireCallable(outbound: Pick<Outbound, 'checkUrl'>, baseUrl: string | null | undefined): void {
  if (baseUrl == null) return;
  try {
    outbound.checkUrl(baseUrl);
  } catch (error) {
    if (!(error instanceof OutboundRefusedError)) throw error;
    const details = [{ path: 'body.baseUrl', message: error.message }];
    throw new AppError('OUTBOUND_REFUSED', error.message, { details, cause: error });
  }
}
