export type { StoredConnector } from './connector.ts';
export type { Connectors, OnIssueTouched, TouchedIssue } from './connectors.ts';
