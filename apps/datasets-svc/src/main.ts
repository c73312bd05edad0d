import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { openDatabaseHost } from '@clew/host';
import { createIdentityVerifier, readPublicKeys } from '@clew/http';
import { systemClock } from '@clew/kernel';
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
  const { listener, remover } = createDatasets({ ...host, config, authenticate, clock: systemClock });
  remover.start();
  await host.run(listener, [{ name: 'remover', stop: () => remover.stop() }]);
});
