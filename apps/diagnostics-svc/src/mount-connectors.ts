import type { Route } from '@clew/http';
import type { Clock, CursorCodec } from '@clew/kernel';
import { createOutbound, parseCidrList } from '@clew/outbound';
import { createInbox, type AuditTrail, type Database, type Tombstones } from '@clew/persistence';
import type { BackgroundTask, Logger } from '@clew/runtime';
import { createSecretBox } from '@clew/secrets';
import type { DiagnosticsConfig } from './config.ts';
import {
  connectorRoutes,
  createConnectors,
  createConnectorsService,
  createConnectorStore,
  createTestConnector,
  type Connectors,
  type OnIssueTouched,
} from './connectors/index.ts';
import { createReceiveDelivery, providerWebhookRoutes } from './provider-webhooks/index.ts';

export interface ConnectorsMountDependencies {
  config: DiagnosticsConfig;
  database: Database;
  tombstones: Tombstones;
  audit: AuditTrail;
  cursors: CursorCodec;
  clock: Clock;
  logger: Logger;
  /** Called for each issue that a webhook of its provider names. */
  onIssueTouched?: OnIssueTouched | undefined;
}

/** Everything that talks to issue trackers. */
export interface MountedConnectors {
  /** Undefined if the work item service is not mounted; its routes then answer that. */
  connectors: Connectors | undefined;
  routes: Route[];
  start(): BackgroundTask[];
}

const INBOX_NAME = 'diagnostics-svc.provider-webhooks';
const CONNECT_TIMEOUT_MS = 5_000;
/** Silence of a provider; the deadline of each call is what usually ends it. */
const SILENCE_MS = 30_000;

export function mountConnectors(deps: ConnectorsMountDependencies): MountedConnectors {
  const { config, database, clock, onIssueTouched = async () => undefined } = deps;
  if (!config.MOUNT_WORK_ITEMS) {
    return {
      connectors: undefined,
      routes: [...connectorRoutes(undefined), ...providerWebhookRoutes(undefined)],
      start: () => [],
    };
  }
  const secrets = createSecretBox({ authSecret: config.AUTH_SECRET, previousAuthSecret: config.AUTH_SECRET_PREVIOUS });
  const outbound = createOutbound({
    allowCidrs: parseCidrList(config.OUTBOUND_ALLOW_CIDRS),
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    headersTimeoutMs: SILENCE_MS,
    bodyTimeoutMs: SILENCE_MS,
  });
  const store = createConnectorStore(database);
  const connectors = createConnectors({ store, secrets, outbound, clock });
  const service = createConnectorsService({ ...deps, connectors: store, secrets, outbound });
  const receive = createReceiveDelivery({
    ...{ database, secrets, clock, connectors: store, inbox: createInbox(database, INBOX_NAME) },
    onIssueTouched,
  });
  return {
    connectors,
    routes: [
      ...connectorRoutes({ connectors: service, test: createTestConnector(connectors, deps.logger) }),
      ...providerWebhookRoutes(receive),
    ],
    start: () => [{ name: 'calls to issue trackers', stop: () => outbound.close() }],
  };
}
