import type { TrackerDestination, TrackerProvider } from '@clew/contracts';
import type { SecretEnvelope } from '@clew/secrets';

/** Connector in its stored form. */
export interface StoredConnector {
  id: string;
  projectId: string;
  provider: TrackerProvider;
  name: string | null;
  /** Null for the provider's own address. */
  baseUrl: string | null;
  /** Credentials as JSON. */
  credentials: SecretEnvelope;
  defaultDestination: TrackerDestination | null;
  webhookSecret: SecretEnvelope | null;
  /** Secret before the last change, valid until then. */
  formerWebhookSecret: { secret: SecretEnvelope; untilMs: number } | null;
  enabled: boolean;
  /** Whether the project's set of connectors names it as the default of its provider; stored there. */
  isDefault: boolean;
  /** Number that grows with every change. */
  revision: number;
  createdAt: number;
  updatedAt: number;
}
