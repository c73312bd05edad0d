import { resolve } from 'node:path';
import type { App, RoleHost } from '@clew/host';
import { createApi } from '@clew/http';
import { NotReadyError } from '@clew/runtime';
import { secretBoxOf } from '@clew/secrets';
import {
  createArtifactTransfer,
  createDrivers,
  openHome,
  pipIndexUrl,
  readAgentKeys,
  registryVariables,
  startAgent,
  type Agent,
  type AgentConfig,
  type AgentDependencies,
  type AgentKeys,
} from './agent/index.ts';
import { createHubTokenStore } from './catalog/index.ts';
import { createChildHost, createSocketHost, engineUser, type EngineHost } from './engine-host/index.ts';

/**
 * Serves health checks; the work begins when the agent has claimed its node, which a dead agent may still hold for a
 * while.
 */
export function createAgentApp(host: RoleHost<AgentConfig>): App {
  const { config, logger } = host;
  // Keys are read before any waiting begins, since an operator has to repair a bad file.
  const keys = readAgentKeys(config.AGENT_KEYS_FILE);
  const ending = new AbortController();
  let agent: Agent | undefined;

  async function run(): Promise<void> {
    agent = await startAgent(await dependenciesOf(host, keys), ending.signal);
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
          if (hasNode && agent === undefined) {
            throw new NotReadyError(
              'The agent has not got its node yet: it waits for its servers, or another agent has it',
            );
          }
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
          heartbeatAgeMs: () => agent?.heartbeatAgeMs() ?? 0,
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

async function dependenciesOf(host: RoleHost<AgentConfig>, keys: AgentKeys): Promise<AgentDependencies> {
  const { config, database } = host;
  const engineHost = engineHostOf(config);
  const home = await openHome(resolve(config.MODEL_HOME), engineHost);
  const indexUrl = config.PIP_INDEX_URL === undefined ? await pipIndexUrl() : new URL(config.PIP_INDEX_URL);
  return {
    ...{ ...host, home, host: engineHost, engineKey: keys.engineKey },
    drivers: createDrivers({ python: config.MODEL_PYTHON, registry: registryVariables(indexUrl) }),
    transfer: createArtifactTransfer({
      storeFolder: home.storeFolder,
      hubEndpoint: config.HF_ENDPOINT,
      hubToken: config.HF_TOKEN,
      hubOffline: config.HF_HUB_OFFLINE,
      packageIndexUrl: indexUrl,
    }),
    hubTokenOf: createHubTokenStore(database, secretBoxOf(keys.credentialKeys)).tokenOf,
  };
}

/**
 * Chooses where engines run: in another container if a supervisor of engines is configured; else as children of this
 * process, under another user if it is root.
 */
function engineHostOf({ ENGINE_SOCKET, ENGINE_UID, MODEL_HOME }: AgentConfig): EngineHost {
  if (ENGINE_SOCKET !== undefined) return createSocketHost({ socketFile: ENGINE_SOCKET });
  return createChildHost({ home: resolve(MODEL_HOME), user: engineUser(ENGINE_UID) });
}
