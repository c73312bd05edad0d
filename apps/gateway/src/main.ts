import { join } from 'node:path';
import { apiKeyChanged } from '@clew/contracts';
import { openDatabaseHost } from '@clew/host';
import { readPrivateKey } from '@clew/http';
import { systemClock } from '@clew/kernel';
import { subscribeBroadcast } from '@clew/messaging';
import { loadConfig, startService } from '@clew/runtime';
import { GatewayConfig } from './config.ts';
import { createGateway } from './create-gateway.ts';
import { migrations } from './migrations.ts';

await startService(async () => {
  const config = loadConfig(GatewayConfig, process.env);
  const appFolder = join(import.meta.dirname, '..');
  const host = await openDatabaseHost({ appFolder, config, migrations, needsBroker: false });
  const gateway = createGateway({
    ...host,
    config,
    clock: systemClock,
    signingKey: readPrivateKey(config.IDENTITY_PRIVATE_KEY_FILE),
  });
  const keyChanges = subscribeBroadcast({
    broker: host.broker,
    spec: apiKeyChanged,
    logger: host.logger,
    handle: ({ data }) => gateway.forgetKey(data.keyId),
    onSubscribed: () => gateway.forgetAllKeys(),
  });
  await host.run(gateway.server, [
    { name: 'gateway', stop: () => gateway.close() },
    { name: 'key changes', stop: () => keyChanges.stop() },
  ]);
});
