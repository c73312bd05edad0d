import type { App, DatabaseHost } from '@clew/host';
import { createApi } from '@clew/http';
import { createSecretBox } from '@clew/secrets';
import {
  createArtifactTransfer,
  createDrivers,
  openHome,
  pipIndexUrl,
  startAgent,
  type Agent,
  type AgentConfig,
  type AgentDependencies,
} from './agent/index.ts';
import { createHubTokenStore } from './catalog/index.ts';

/** Serves health; the work begins once the agent has claimed its node, which a dead agent may still hold for a while. */
export function createAgentApp(host: DatabaseHost<AgentConfig>): App {
  const { config, logger } = host;
  const ending = new AbortController();
  let agent: Agent | undefined;

  async function run(): Promise<void> {
    agent = await startAgent(await dependenciesOf(host), ending.signal);
    await agent.lost;
    logger.fatal('another agent has taken the node over');
    process.kill(process.pid, 'SIGTERM');
  }

  // An edge deployment has no node to claim.
  const hasNode = config.DEPLOYMENT_TARGET === 'server';
  return {
    listener: createApi({ ...host.api, routes: [] }),
    checks: [
      {
        name: 'node',
        async check() {
          if (hasNode && agent === undefined) throw new Error('Another agent has the node');
        },
      },
    ],
    start() {
      if (!hasNode) return [];
      run().catch((error: unknown) => {
        if (ending.signal.aborted) return;
        logger.fatal({ err: error }, 'the agent could not go on');
        process.kill(process.pid, 'SIGTERM');
      });
      return [
        {
          name: 'agent',
          beatAgeMs: () => agent?.beatAgeMs() ?? 0,
          backlog: async () => (await agent?.backlog()) ?? { waiting: 0, oldestAgeMs: 0, givenUp: 0 },
          async stop() {
            ending.abort();
            await agent?.stop();
          },
        },
      ];
    },
  };
}

async function dependenciesOf(host: DatabaseHost<AgentConfig>): Promise<AgentDependencies> {
  const { config, database } = host;
  const home = await openHome(config.MODEL_HOME);
  const secrets = createSecretBox({ authSecret: config.AUTH_SECRET, previousAuthSecret: config.AUTH_SECRET_PREVIOUS });
  return {
    ...{ ...host, home },
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
}
