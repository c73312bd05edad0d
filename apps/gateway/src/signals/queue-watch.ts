import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@clew/kernel';
import { queueDepth, QUEUES, type Broker, type QueueDepth, type QueueSpec } from '@clew/messaging';
import { Wakeup, type Logger, type BackgroundTask } from '@clew/runtime';

/** Fill level of a queue, and the time for which it has not shrunk. */
export interface QueueLook extends QueueDepth {
  queue: string;
  oldestAgeMs: number;
}

export interface QueueWatch {
  /** Current state of every queue; concurrent calls share one look. Rejects while the broker does not answer. */
  look(): Promise<QueueLook[]>;
  /** Starts to look periodically. */
  start(): BackgroundTask;
}

export interface QueueWatchOptions {
  broker: Broker;
  clock: Clock;
  logger: Logger;
}

const LOOK_EVERY_MS = 5_000;
const LOOK_TIMEOUT_MS = 3_000;

interface Seen {
  messages: number;
  sinceMs: number;
}

/**
 * The broker does not report how long a message has waited. Visible is only that a queue holds messages and does not
 * shrink: so it is looked at again and again, and its age is the time since it was last seen to shrink.
 */
export function createQueueWatch({ broker, clock, logger }: QueueWatchOptions): QueueWatch {
  const watched = Object.values<QueueSpec>(QUEUES).filter(({ retired }) => retired !== true);
  const seen = new Map<string, Seen>();
  const wakeup = new Wakeup();
  let underWay: Promise<QueueLook[]> | undefined;
  let isStopping = false;

  function ageOf(queue: string, messages: number): number {
    const nowMs = clock.now();
    const before = seen.get(queue);
    const shrinks = before === undefined || messages < before.messages || messages === 0 || before.messages === 0;
    const sinceMs = shrinks ? nowMs : before.sinceMs;
    seen.set(queue, { messages, sinceMs });
    return messages === 0 ? 0 : nowMs - sinceMs;
  }

  async function lookAtAll(): Promise<QueueLook[]> {
    const looks: QueueLook[] = [];
    for (const queue of watched) {
      const depth = await queueDepth(broker, queue);
      looks.push({ queue: queue.name, ...depth, oldestAgeMs: ageOf(queue.name, depth.messages) });
    }
    return looks;
  }

  async function look(): Promise<QueueLook[]> {
    underWay ??= within(lookAtAll(), LOOK_TIMEOUT_MS).finally(() => (underWay = undefined));
    return await underWay;
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      await look().catch((error: unknown) => logger.debug({ err: error }, 'could not look at the queues'));
      await wakeup.wait(LOOK_EVERY_MS);
    }
  }

  async function stop(finished: Promise<void>): Promise<void> {
    isStopping = true;
    wakeup.end();
    await finished;
  }

  return {
    look,
    start() {
      const finished = run();
      return { name: 'queue-watch', stop: () => stop(finished) };
    },
  };
}

async function within<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  const late = new AbortController();
  answer.catch(() => undefined);
  const timeout = sleep(timeoutMs, undefined, { ref: false, signal: late.signal });
  try {
    return await Promise.race([
      answer,
      timeout.then(() => {
        throw new Error(`The broker did not answer within ${timeoutMs} ms`);
      }),
    ]);
  } finally {
    timeout.catch(() => undefined);
    late.abort();
  }
}
