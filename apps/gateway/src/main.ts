import { join } from 'node:path';
import { runDatabaseApp } from '@clew/host';
import { readPrivateKey } from '@clew/http';
import { GatewayConfig } from './config.ts';
import { createGateway } from './create-gateway.ts';
import { migrations } from './migrations.ts';

await runDatabaseApp({
  name: 'gateway',
  appFolder: join(import.meta.dirname, '..'),
  config: GatewayConfig,
  migrations,
  create: (host) => createGateway({ ...host, signingKey: readPrivateKey(host.config.IDENTITY_PRIVATE_KEY_FILE) }),
});
