import { mkdir } from 'node:fs/promises';
import type { runtimeCommanded } from '@clew/contracts';
import type { BackOff, Clock } from '@clew/kernel';
import { consume, runtimeCommandsQueue, type Broker } from '@clew/messaging';
import type { Database } from '@clew/persistence';
import type { Backlog, Logger } from '@clew/runtime';
import { createEngineKeys, createNodeStore, createResourceStore } from '@clew/model-runtime';
import type { EngineHost } from './engine-host/index.ts';
import { createDownloadWorker, createEngineWorker, createServiceWorker } from './workers/index.ts';
import type { EngineDrivers } from './drivers/index.ts';
import { reapLeftProcesses, createProcessRecords } from './processes/index.ts';
import type { Transfer } from './transfer/index.ts';
import type { AgentConfig } from './config.ts';
import { startHeartbeat, type Home, claimNode, createGpuReader } from './node/index.ts';
import { createReconciler, type Reconciler } from './reconcile/index.ts';

export type AgentSettings = Pick<
  AgentConfig,
  'MODEL_NODE' | 'MODEL_LISTEN_HOST' | 'MODEL_REACH_HOST' | 'MODEL_MAX_DOWNLOADS' | 'MODEL_AGENT_LEASE_MS'
>;

export interface AgentDependencies {
  config: AgentSettings;
  /** Secret from which the keys of engine processes are derived, as in the API. */
  engineKey: Uint8Array;
  home: Home;
  /** Host that runs engines. */
  host: EngineHost;
  database: Database;
  broker: Broker;
  clock: Clock;
  logger: Logger;
  drivers: EngineDrivers;
  transfer: Transfer;
  hubTokenOf(projectId: string): Promise<string | undefined>;
  /** Interval between looks at all resources; by default the reconciler's own. */
  sweepMs?: number;
  /** Pauses after failed attempts; by default those of the store. */
  backOff?: BackOff | undefined;
  /** Time for an engine to end when told to; by default that of the engine host. */
  stopGraceMs?: number;
  /** Time for calls in progress to finish when the agent is told to end. */
  drainMs: number;
  /** Time without work after which an engine has finished its answers; by default that of the service worker. */
  atRestMs?: number | undefined;
}

export interface Agent {
  /** Resolves when another agent has taken over the node: then this process must end. */
  readonly lost: Promise<void>;
  /** Milliseconds since the last sign of life of the reconciler or of the command consumer, whichever is older. */
  heartbeatAgeMs(): number;
  /** Lets engines finish their answers, ends them, and gives the node back. */
  stop(): Promise<void>;
  /** Commands that wait for the agent. */
  backlog(): Promise<Backlog>;
}

const SERVICES_STARTING = 2;

/**
 * Starts the agent of a node: claims the node, ends engines that an earlier agent has left running, and then brings the
 * node to the state that projects want. Resolves when the node is claimed, which may take as long as a dead agent's
 * lease.
 */
export async function startAgent(deps: AgentDependencies, signal: AbortSignal): Promise<Agent> {
  const { config, home, host, database, broker, clock, logger, drivers } = deps;
  const { MODEL_NODE: node, MODEL_AGENT_LEASE_MS: leaseMs } = config;
  const claim = await claimNode(database, node, { leaseMs, logger, signal });
  const nodes = createNodeStore(database);
  const epoch = await nodes.nextEpoch(node, clock.now());
  const records = createProcessRecords(home.processesFolder);
  const reaped = await reapLeftProcesses(records);
  if (reaped > 0) logger.warn({ node, reaped }, 'ended engines that an earlier agent had left running');
  await mkdir(home.storeFolder, { recursive: true });
  const readGpus = createGpuReader(home.path, host);
  const heartbeat = await startHeartbeat({ nodes, node, epoch, home, host, readGpus, clock, logger });
  const store = createResourceStore(database, { backOff: deps.backOff });
  const reconciler: Reconciler = createReconciler({
    ...{ node, store, clock, logger, epoch },
    concurrency: { engine: 1, artifact: config.MODEL_MAX_DOWNLOADS, service: SERVICES_STARTING },
    ...(deps.sweepMs === undefined ? {} : { sweepMs: deps.sweepMs }),
    workers: {
      engine: createEngineWorker({ home, host, drivers, readGpus }),
      artifact: createDownloadWorker({ ...deps, home }),
      service: createServiceWorker({
        ...{ home, host, drivers, store, records, clock },
        transfer: deps.transfer,
        keys: createEngineKeys(deps.engineKey),
        listenHost: config.MODEL_LISTEN_HOST,
        reachHost: config.MODEL_REACH_HOST ?? config.MODEL_LISTEN_HOST,
        poke: (id) => reconciler.poke(id),
        ...{ stopGraceMs: deps.stopGraceMs, drainMs: deps.drainMs, atRestMs: deps.atRestMs },
      }),
    },
  });
  const queue = runtimeCommandsQueue(node);
  const commands = consume<typeof runtimeCommanded>({
    ...{ broker, queue, logger },
    async handle({ data }) {
      // The generation in the record is the fence: a command about an older generation is recognized as out of date.
      if (data.node === node) reconciler.poke(data.resourceId);
    },
  });
  logger.info({ node, epoch }, 'the agent has the node');
  return {
    lost: claim.lost,
    heartbeatAgeMs: () => Math.max(reconciler.heartbeatAgeMs(), commands.heartbeatAgeMs()),
    backlog: () => commands.backlog(),
    async stop() {
      await commands.stop();
      await reconciler.stop();
      heartbeat.stop();
      await host.close();
      await claim.release();
    },
  };
}
