import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { openDatabaseHost } from '@clew/host';
import { modelAvailabilityChanged } from '@clew/contracts';
import {
  createIdentitySigner,
  createIdentityVerifier,
  createServiceClient,
  readPrivateKey,
  readPublicKeys,
} from '@clew/http';
import { systemClock } from '@clew/kernel';
import { subscribeBroadcast } from '@clew/messaging';
import { loadConfig, startService } from '@clew/runtime';
import { DatasetsConfig } from './config.ts';
import { createDatasets } from './create-datasets.ts';
import { migrations } from './migrations.ts';

// An import makes garbage faster than the collector thinks worth its while: by default the heap grows to twice what lives.
setFlagsFromString('--heap-growing-percent=40');

await startService(async () => {
  const config = loadConfig(DatasetsConfig, process.env);
  const appFolder = join(import.meta.dirname, '..');
  const host = await openDatabaseHost({ appFolder, config, migrations, needsBroker: false });
  const authenticate = createIdentityVerifier(readPublicKeys(config.IDENTITY_PUBLIC_KEYS_FILE));
  const modelRuntime = createServiceClient({
    baseUrl: config.MODEL_RUNTIME_SVC_URL,
    serviceName: 'datasets-svc',
    sign: createIdentitySigner('datasets-svc', readPrivateKey(config.IDENTITY_PRIVATE_KEY_FILE)),
  });
  const { listener, remover, models } = createDatasets({
    ...{ ...host, config, authenticate, modelRuntime },
    clock: systemClock,
  });
  const modelChanges = subscribeBroadcast({
    ...{ broker: host.broker, logger: host.logger, spec: modelAvailabilityChanged },
    handle: ({ projectId, data }) => models.changed(projectId, data.model),
    onSubscribed: () => models.forgetAll(),
  });
  remover.start();
  await host.run(listener, [
    { name: 'remover', stop: () => remover.stop() },
    { name: 'model changes', stop: () => modelChanges.stop() },
  ]);
});
