import { join } from 'node:path';
import { openHost } from '@clew/host';
import { createApi, createIdentitySigner, createServiceClient, operationsRouter, readPrivateKey } from '@clew/http';
import { systemClock } from '@clew/kernel';
import { consume, QUEUES } from '@clew/messaging';
import { BUILT_IN_RULES } from '@clew/rules';
import { loadConfig, startService } from '@clew/runtime';
import { createAnalyse } from './analysis/analyse.ts';
import { WorkerConfig } from './config.ts';

await startService(async () => {
  const config = loadConfig(WorkerConfig, process.env);
  const appFolder = join(import.meta.dirname, '..');
  const queues = [QUEUES.analysisResults];
  const host = await openHost({ appFolder, config, queues, needsBroker: true });
  const { broker, publisher, logger, metrics } = host;
  const warehouse = createServiceClient({
    baseUrl: config.TELEMETRY_WAREHOUSE_URL,
    serviceName: 'jobs-worker',
    sign: createIdentitySigner('jobs-worker', readPrivateKey(config.IDENTITY_PRIVATE_KEY_FILE)),
  });
  const analyse = createAnalyse({ warehouse, publisher, rules: BUILT_IN_RULES, clock: systemClock });
  const consumer = consume({
    broker,
    queue: QUEUES.analysis,
    logger,
    handle: (envelope, context) => analyse(envelope, context.logger),
  });
  const isAlive = () => consumer.beatAgeMs() < config.MAX_BEAT_AGE_MS;
  const operations = operationsRouter({ ...host, plainText: true, isAlive });
  const listener = createApi({
    authenticate: () => undefined,
    logger,
    metrics,
    operations: [operations],
    routes: [],
  });
  await host.run(listener, [{ name: 'consumer', stop: () => consumer.stop() }]);
});
