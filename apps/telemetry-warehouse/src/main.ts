import { join } from 'node:path';
import { openDatabaseHost } from '@clew/host';
import { createIdentityVerifier, readPublicKeys } from '@clew/http';
import { systemClock } from '@clew/kernel';
import { QUEUES } from '@clew/messaging';
import { loadConfig, startService } from '@clew/runtime';
import { WarehouseConfig } from './config.ts';
import { createWarehouse } from './create-warehouse.ts';
import { migrations } from './migrations.ts';

await startService(async () => {
  const config = loadConfig(WarehouseConfig, process.env);
  const appFolder = join(import.meta.dirname, '..');
  const queues = [QUEUES.conversationReady];
  const host = await openDatabaseHost({ appFolder, config, migrations, queues, needsBroker: false });
  const authenticate = createIdentityVerifier(readPublicKeys(config.IDENTITY_PUBLIC_KEYS_FILE));
  const warehouse = createWarehouse({ ...host, config, authenticate, clock: systemClock });
  await host.run(warehouse.listener, warehouse.startWork());
});
