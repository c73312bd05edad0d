import type { StoredSecrets } from '@clew/host';
import { CONNECTOR_SECRETS } from './connectors/index.ts';
import { WEBHOOK_SECRETS } from './webhooks/index.ts';

/** Everything in the database that is encrypted with AUTH_SECRET. */
export const STORED_SECRETS: readonly StoredSecrets[] = [...CONNECTOR_SECRETS, ...WEBHOOK_SECRETS];
