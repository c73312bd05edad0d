import { join } from 'node:path';
import { openDatabaseHost } from '@clew/host';
import {
  createIdentitySigner,
  createIdentityVerifier,
  createServiceClient,
  readPrivateKey,
  readPublicKeys,
} from '@clew/http';
import { systemClock } from '@clew/kernel';
import { QUEUES } from '@clew/messaging';
import { loadConfig, startService } from '@clew/runtime';
import { DiagnosticsConfig } from './config.ts';
import { createDiagnostics } from './create-diagnostics.ts';
import { migrations } from './migrations.ts';

await startService(async () => {
  const config = loadConfig(DiagnosticsConfig, process.env);
  const appFolder = join(import.meta.dirname, '..');
  const queues = [QUEUES.analysis];
  const host = await openDatabaseHost({ appFolder, config, migrations, queues, needsBroker: false });
  const warehouse = createServiceClient({
    baseUrl: config.TELEMETRY_WAREHOUSE_URL,
    serviceName: 'diagnostics-svc',
    sign: createIdentitySigner('diagnostics-svc', readPrivateKey(config.IDENTITY_PRIVATE_KEY_FILE)),
  });
  const authenticate = createIdentityVerifier(readPublicKeys(config.IDENTITY_PUBLIC_KEYS_FILE));
  const diagnostics = createDiagnostics({ ...host, config, authenticate, warehouse, clock: systemClock });
  const consumers = diagnostics.startConsumers();
  const stop = async () => void (await Promise.all(consumers.map((consumer) => consumer.stop())));
  await host.run(diagnostics.listener, [{ name: 'consumers', stop }]);
});
