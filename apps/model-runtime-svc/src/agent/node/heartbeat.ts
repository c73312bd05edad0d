import type { Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import type { EngineHost } from '../../engine-host/index.ts';
import type { Home } from './home.ts';
import { readNodeFacts, type ReadGpus } from './node-facts.ts';
import type { NodeStore } from '../../resources/index.ts';

export interface HeartbeatOptions {
  nodes: NodeStore;
  node: string;
  epoch: number;
  home: Home;
  host: EngineHost;
  readGpus: ReadGpus;
  clock: Clock;
  logger: Logger;
}

export const HEARTBEAT_MS = 2_000;

/** Writes periodically that the agent lives, and the memory, disk space and accelerators of the node. */
export async function startHeartbeat(options: HeartbeatOptions): Promise<{ stop(): void }> {
  const { nodes, node, epoch, home, host, readGpus, clock, logger } = options;
  const heartbeat = async () =>
    nodes.heartbeat(node, epoch, await readNodeFacts(home.path, host, await readGpus()), clock.now());
  const tell = () =>
    heartbeat().catch((error: unknown) => logger.warn({ err: error, node }, 'the heartbeat could not be written'));
  await tell();
  const timer = setInterval(() => void tell(), HEARTBEAT_MS);
  return { stop: () => clearInterval(timer) };
}
