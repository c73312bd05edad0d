import type { Logger } from '@clew/runtime';
import type { Broker } from './broker.ts';
import { withChannel } from './dead-letters.ts';
import { countsOf } from './queue-counts.ts';
import type { QueueSpec } from './queue-spec.ts';

export interface QueueRoomOptions {
  broker: Broker;
  queue: QueueSpec;
  /** Queue of the results that the consumers produce from the messages: about one result per message. */
  results: QueueSpec;
  /** Amount that may wait per consumer of the queue, in the units of `take`. */
  unitsOfConsumer: number;
  logger: Logger;
  /** Maximum age of the known queue counts; 100 by default. */
  lookEveryMs?: number;
}

/**
 * Amount that a queue should still be given. The queue is kept short because messages in a queue cannot be reordered.
 */
export interface QueueRoom {
  left(): number;
  /** Records that a message of this many units is on its way to the queue. */
  take(units: number): void;
}

const LOOK_EVERY_MS = 100;
/** Weight of the latest message in the moving average. */
const LATEST_SHARE = 0.2;

/**
 * Computes the room from the last known counts of the queues, and from the units taken since. It refreshes the counts
 * in the background when they are old; while the broker cannot be asked, every `take` reduces the room.
 */
export function watchQueueRoom(options: QueueRoomOptions): QueueRoom {
  const { broker, queue, results, unitsOfConsumer, logger, lookEveryMs = LOOK_EVERY_MS } = options;
  let seen = { messages: 0, consumers: 1 };
  /**
   * Units since the last look, and between the two before it: some of the latter may not have been in the queue at that
   * look.
   */
  let taken = { since: 0, before: 0 };
  let unitsOfMessage = 1;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let isLooking = false;

  async function look(): Promise<void> {
    const { since } = taken;
    try {
      const [waiting, made] = await withChannel(broker, async (channel) => [
        await countsOf(channel, queue.name),
        await countsOf(channel, results.name),
      ]);
      seen = { messages: waiting.messages + made.messages, consumers: Math.max(1, waiting.consumers) };
      taken = { since: taken.since - since, before: since };
    } catch (error) {
      logger.debug({ err: error, queue: queue.name }, 'could not see how much waits in a queue');
    } finally {
      isLooking = false;
    }
  }

  return {
    left() {
      const nowMs = performance.now();
      if (!isLooking && nowMs - lookedAtMs > lookEveryMs) {
        lookedAtMs = nowMs;
        isLooking = true;
        void look();
      }
      return seen.consumers * unitsOfConsumer - seen.messages * unitsOfMessage - taken.since - taken.before;
    },
    take(units) {
      taken.since += units;
      unitsOfMessage += LATEST_SHARE * (units - unitsOfMessage);
    },
  };
}
