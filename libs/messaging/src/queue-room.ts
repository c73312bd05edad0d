import type { Logger } from '@clew/runtime';
import type { Broker } from './broker.ts';
import { withChannel } from './dead-letters.ts';
import { countsOf } from './queue-counts.ts';
import type { QueueSpec } from './queues.ts';

export interface QueueRoomOptions {
  broker: Broker;
  queue: QueueSpec;
  /** Where what the consumers of the queue make of its messages waits: one message for each, more or less. */
  results: QueueSpec;
  /** How much may wait for each consumer of the queue, in the units that `take` is told. */
  unitsOfConsumer: number;
  logger: Logger;
  /** How old what is known of the queues may be; 100 by default. */
  lookEveryMs?: number;
}

/** How much more a queue should be given, so that it stays short: what is in a queue cannot be put in another order. */
export interface QueueRoom {
  left(): number;
  /** A message of so many units is on its way to the queue. */
  take(units: number): void;
}

const LOOK_EVERY_MS = 100;
/** How much the latest message counts for the mean. */
const LATEST_SHARE = 0.2;

/**
 * Tells by what was last seen of the queues, and by what was taken since. It looks again by itself when that is old, and
 * keeps nobody waiting; while the broker cannot be asked, what is taken fills the room.
 */
export function watchQueueRoom(options: QueueRoomOptions): QueueRoom {
  const { broker, queue, results, unitsOfConsumer, logger, lookEveryMs = LOOK_EVERY_MS } = options;
  let seen = { messages: 0, consumers: 1 };
  /** Since the last look, and between the two before: some of that may not have come to the queue when it was looked at. */
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
