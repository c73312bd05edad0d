import { join } from 'node:path';
import { openHost } from '@clew/host';
import { createIdentityVerifier, readPublicKeys } from '@clew/http';
import { systemClock } from '@clew/kernel';
import { QUEUES } from '@clew/messaging';
import { loadConfig, startService } from '@clew/runtime';
import { IngestConfig } from './config.ts';
import { createIngest } from './create-ingest.ts';

await startService(async () => {
  const config = loadConfig(IngestConfig, process.env);
  const appFolder = join(import.meta.dirname, '..');
  const host = await openHost({ appFolder, config, needsBroker: true, queues: [QUEUES.spansReceived] });
  const authenticate = createIdentityVerifier(readPublicKeys(config.IDENTITY_PUBLIC_KEYS_FILE));
  const { listener } = await createIngest({ ...host, config, authenticate, clock: systemClock });
  await host.run(listener, []);
});
