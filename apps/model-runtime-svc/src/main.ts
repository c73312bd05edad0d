import { join } from 'node:path';
import { openDatabaseHost } from '@clew/host';
import { createIdentityVerifier, readPublicKeys } from '@clew/http';
import { systemClock } from '@clew/kernel';
import { QUEUES } from '@clew/messaging';
import { loadConfig, startService } from '@clew/runtime';
import { ModelRuntimeConfig } from './config.ts';
import { createModelRuntime } from './create-model-runtime.ts';
import { migrations } from './migrations.ts';

await startService(async () => {
  const config = loadConfig(ModelRuntimeConfig, process.env);
  const appFolder = join(import.meta.dirname, '..');
  const host = await openDatabaseHost({
    appFolder,
    config,
    migrations,
    queues: [QUEUES.spansReceived],
    needsBroker: false,
  });
  const authenticate = createIdentityVerifier(readPublicKeys(config.IDENTITY_PUBLIC_KEYS_FILE));
  const modelRuntime = createModelRuntime({ ...host, config, authenticate, clock: systemClock });
  const consumers = modelRuntime.startConsumers();
  const stop = async () => void (await Promise.all(consumers.map((consumer) => consumer.stop())));
  await host.run(modelRuntime.listener, [{ name: 'consumers', stop }, ...modelRuntime.start()]);
});
