import type { Logger } from '@clew/runtime';
import type { Broker } from './broker.ts';
import { withChannel } from './dead-letters.ts';
import { countsOf } from './queue-counts.ts';
import { type QueueSpec } from './queue-spec.ts';
import { SHARES } from './queues.ts';

export interface QueueCapacityOptions {
  broker: Broker;
  queue: QueueSpec;
  logger: Logger;
  /** Maximum age of the known consumer count; 5,000 by default. */
  lookEveryMs?: number;
}

/** Messages that the consumers of a queue can have in hand together, and the part of one project. */
export interface QueueCapacity {
  total: number;
  ofProject: number;
}

const LOOK_EVERY_MS = 5_000;

/**
 * Tracks the number of messages that the consumers of a queue can have in hand. It returns the last known value at
 * once, and refreshes it in the background when it is old. If no consumer was seen, one is assumed.
 */
export function watchQueueCapacity(options: QueueCapacityOptions): () => QueueCapacity {
  const { broker, queue, logger, lookEveryMs = LOOK_EVERY_MS } = options;
  let consumers = 1;
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    try {
      const seen = await withChannel(broker, (channel) => countsOf(channel, queue.name));
      consumers = Math.max(1, seen.consumers);
    } catch (error) {
      logger.debug({ err: error, queue: queue.name }, 'could not count the consumers of a queue');
    }
  }

  return () => {
    const nowMs = performance.now();
    if (nowMs - lookedAtMs > lookEveryMs) {
      lookedAtMs = nowMs;
      void look();
    }
    const total = consumers * queue.prefetch;
    return { total, ofProject: total / SHARES };
  };
}
