import type { KeyObject } from 'node:crypto';
import type { DatabaseHost } from '@clew/host';
import type { GatewayConfig } from './config.ts';

/** Parts of the gateway: those of the host, and the key with which it signs identities. */
export interface GatewayDependencies extends Pick<
  DatabaseHost<GatewayConfig>,
  'config' | 'database' | 'broker' | 'clock' | 'info' | 'logger' | 'metrics' | 'api' | 'probes' | 'ending' | 'cursors'
> {
  signingKey: KeyObject;
}
