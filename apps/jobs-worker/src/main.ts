import { join } from 'node:path';
import { openHost } from '@clew/host';
import { createIdentitySigner, createServiceClient, readPrivateKey } from '@clew/http';
import { systemClock } from '@clew/kernel';
import { QUEUES } from '@clew/messaging';
import { BUILT_IN_RULES } from '@clew/rules';
import { loadConfig, startService } from '@clew/runtime';
import { WorkerConfig } from './config.ts';
import { createWorker } from './create-worker.ts';

await startService(async () => {
  const config = loadConfig(WorkerConfig, process.env);
  const appFolder = join(import.meta.dirname, '..');
  const queues = [QUEUES.analysisResults];
  const host = await openHost({ appFolder, config, queues, needsBroker: true });
  const warehouse = createServiceClient({
    baseUrl: config.TELEMETRY_WAREHOUSE_URL,
    serviceName: 'jobs-worker',
    sign: createIdentitySigner('jobs-worker', readPrivateKey(config.IDENTITY_PRIVATE_KEY_FILE)),
  });
  const worker = createWorker({ ...host, config, warehouse, rules: BUILT_IN_RULES, clock: systemClock });
  const consumers = worker.startConsumers();
  const stop = async () => void (await Promise.all(consumers.map((consumer) => consumer.stop())));
  await host.run(worker.listener, [{ name: 'consumers', stop }]);
});
