export { connectorModel, connectorSetModel } from './connector.model.ts';
export { openWebhookSecrets } from './connector-secrets.ts';
export { decoyConnector, type StoredConnector } from './connector.ts';
export { connectorRoutes, workItemsUnavailable } from './connectors.routes.ts';
export { createConnectorsService } from './connectors.service.ts';
export { createConnectorStore, type ConnectorStore } from './connectors.store.ts';
export { createConnectors, type Connectors } from './connectors.ts';
export { createTestConnector } from './test-connector.ts';
export type { OnIssueTouched, TouchedIssue } from './touched-issue.ts';
