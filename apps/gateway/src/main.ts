import { join } from 'node:path';
import { runDatabaseApp } from '@clew/host';
import { readPrivateKey } from '@clew/http';
import { GatewayConfig } from './config.ts';
import { createGateway } from './create-gateway.ts';
import { migrations } from './migrations.ts';
import { tellOfOtherSecret } from './projects/secret-mark.ts';

await runDatabaseApp({
  name: 'gateway',
  appFolder: join(import.meta.dirname, '..'),
  config: GatewayConfig,
  migrations,
  async create(host) {
    await tellOfOtherSecret(host.database, host.config.AUTH_SECRET, host.logger);
    return createGateway({ ...host, signingKey: readPrivateKey(host.config.IDENTITY_PRIVATE_KEY_FILE) });
  },
});
