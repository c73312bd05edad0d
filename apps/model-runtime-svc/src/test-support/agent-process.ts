// node agent-process.ts, with its settings as JSON in AGENT_SETTINGS: an agent with scripted engines and sources.
import { systemClock } from '@clew/kernel';
import { connectBroker } from '@clew/messaging';
import { connectMongo } from '@clew/persistence';
import { createLogger } from '@clew/runtime';
import { openHome, startAgent } from '../agent/index.ts';
import { scriptedDrivers } from './scripted-drivers.ts';
import { scriptedTransfer } from './scripted-transfer.ts';

export interface AgentProcessSettings {
  mongoUrl: string;
  database: string;
  amqpUrl: string;
  home: string;
  node: string;
  authSecret: string;
  installMs: number;
  fetchMs: number;
  retryDelaysMs: readonly number[];
  logLevel: string;
}

const settings = JSON.parse(process.env['AGENT_SETTINGS'] ?? '') as AgentProcessSettings;
const logger = createLogger({ service: 'agent', version: '0', level: settings.logLevel });
const { mongoUrl: url, database: name, node } = settings;
const database = await connectMongo({ url, database: name, appName: 'agent', logger });
const broker = await connectBroker({
  ...{ url: settings.amqpUrl, appName: 'agent', logger },
  retryDelaysMs: settings.retryDelaysMs,
});
const home = await openHome(settings.home);
const agent = await startAgent(
  {
    config: {
      AUTH_SECRET: settings.authSecret,
      MODEL_NODE: node,
      MODEL_LISTEN_HOST: '127.0.0.1',
      MODEL_REACH_HOST: undefined,
      MODEL_MAX_DOWNLOADS: 2,
      MODEL_AGENT_LEASE_MS: 1_000,
    },
    ...{ home, database, broker, logger },
    clock: systemClock,
    drivers: scriptedDrivers(settings.home, settings.installMs),
    transfer: scriptedTransfer(settings.home, settings.fetchMs),
    hubTokenOf: async () => undefined,
    sweepMs: 200,
    stopGraceMs: 1_000,
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
