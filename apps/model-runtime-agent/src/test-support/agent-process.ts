// Usage: node agent-process.ts, with settings as JSON in AGENT_SETTINGS. Runs an agent with scripted engines and
// sources.
import { deriveSecret, systemClock } from '@clew/kernel';
import { connectBroker } from '@clew/messaging';
import { connectMongo } from '@clew/persistence';
import { createLogger } from '@clew/runtime';
import type { AgentProcessSettings } from '@clew/testing-model-runtime';
import { startAgent } from '../create-agent.ts';
import { openHome } from '../node/index.ts';
import { engineHostOf } from './engine-host-of.ts';
import { scriptedDrivers } from './scripted-drivers.ts';
import { scriptedTransfer } from './scripted-transfer.ts';

/** Lease of the node, shorter than in the product, because an agent that follows a killed one waits for it. */
const LEASE_MS = 300;

const settings = JSON.parse(process.env['AGENT_SETTINGS'] ?? '') as AgentProcessSettings;
const logger = createLogger({ service: 'agent', version: '0', level: settings.logLevel });
const { mongoUrl: url, database: name, node, failurePauseMs: pause } = settings;
const database = await connectMongo({ url, database: name, appName: 'agent', logger });
const broker = await connectBroker({
  ...{ url: settings.amqpUrl, appName: 'agent', logger },
  retryDelaysMs: settings.retryDelaysMs,
});
const host = engineHostOf(settings.engines, settings.home);
const home = await openHome(settings.home, host);
const agent = await startAgent(
  {
    config: {
      MODEL_NODE: node,
      MODEL_LISTEN_HOST: '127.0.0.1',
      MODEL_REACH_HOST: undefined,
      MODEL_MAX_DOWNLOADS: 2,
      MODEL_AGENT_LEASE_MS: LEASE_MS,
    },
    ...{ home, host, database, broker, logger },
    engineKey: deriveSecret(settings.authSecret, 'engine-key/v1'),
    clock: systemClock,
    drivers: scriptedDrivers(settings.home, settings.installMs),
    transfer: scriptedTransfer(settings.home, settings.fetchMs),
    hubTokenOf: async () => undefined,
    sweepMs: settings.sweepMs,
    stopGraceMs: 1_000,
    drainMs: settings.drainMs,
    atRestMs: settings.atRestMs,
    backOff: pause === undefined ? undefined : { firstMs: pause, maxMs: pause },
  },
  new AbortController().signal,
);
void agent.lost.then(() => process.exit(1));
process.on('SIGTERM', () => {
  void agent
    .stop()
    .then(() => Promise.all([broker.close(), database.close()]))
    .then(() => process.exit(0));
});
process.stdout.write('agent ready\n');
