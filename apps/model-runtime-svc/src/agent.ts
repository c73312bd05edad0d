import { join } from 'node:path';
import { openDatabaseHost } from '@clew/host';
import { createApi, operationsRouter } from '@clew/http';
import { systemClock } from '@clew/kernel';
import { runtimeCommandsQueue } from '@clew/messaging';
import { loadConfig, startService, type ReadinessCheck } from '@clew/runtime';
import { createSecretBox } from '@clew/secrets';
import {
  type Agent,
  AgentConfig,
  createArtifactTransfer,
  createDrivers,
  openHome,
  pipIndexUrl,
  startAgent,
} from './agent/index.ts';
import { createHubTokenStore } from './catalog/index.ts';
import { migrations } from './migrations.ts';

/** The runtime agent: the role of this app that has a volume, and runs what projects install, fetch and start. */
await startService(async () => {
  const config = loadConfig(AgentConfig, process.env);
  const ending = new AbortController();
  let agent: Agent | undefined;
  const hasNode: ReadinessCheck = {
    name: 'node',
    async check() {
      if (agent === undefined) throw new Error('Another agent has the node');
    },
  };
  const host = await openDatabaseHost({
    appFolder: join(import.meta.dirname, '..'),
    ...{ config, migrations },
    queues: [runtimeCommandsQueue(config.MODEL_NODE)],
    needsBroker: false,
    // An edge deployment has no node to claim.
    ...(config.DEPLOYMENT_TARGET === 'server' ? { checks: [hasNode] } : {}),
  });
  const { database, logger } = host;
  const isAlive = () => agent?.isAlive() !== false;
  const listener = createApi({
    authenticate: () => undefined,
    ...{ logger, metrics: host.metrics, routes: [], operations: [operationsRouter({ ...host, isAlive })] },
  });
  const stop = async () => {
    ending.abort();
    await agent?.stop();
  };
  await host.run(listener, [{ name: 'agent', stop }]);
  if (config.DEPLOYMENT_TARGET === 'edge') return;

  const home = await openHome(config.MODEL_HOME);
  const secrets = createSecretBox({ authSecret: config.AUTH_SECRET, previousAuthSecret: config.AUTH_SECRET_PREVIOUS });
  const dependencies = {
    ...{ ...host, config, home },
    clock: systemClock,
    drivers: createDrivers({ python: config.MODEL_PYTHON }),
    transfer: createArtifactTransfer({
      storeFolder: home.storeFolder,
      hubEndpoint: config.HF_ENDPOINT,
      hubToken: config.HF_TOKEN,
      hubOffline: config.HF_HUB_OFFLINE,
      packageIndexUrl: config.PIP_INDEX_URL === undefined ? await pipIndexUrl() : new URL(config.PIP_INDEX_URL),
    }),
    hubTokenOf: createHubTokenStore(database, secrets).tokenOf,
  };
  try {
    agent = await startAgent(dependencies, ending.signal);
  } catch (error) {
    if (ending.signal.aborted) return;
    throw error;
  }
  await agent.lost;
  logger.fatal('another agent has taken the node over');
  process.kill(process.pid, 'SIGTERM');
});
