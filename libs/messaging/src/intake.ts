import { readJson } from '@clew/kernel';
import type { EnvelopeOf, MessageSpec } from '@clew/contracts';
import { WorkInHand, type Backlog, type Logger, type Part } from '@clew/runtime';
import type { Broker } from './broker.ts';
import { validEnvelope } from './envelopes.ts';
import { createFailures, type Failures } from './failures.ts';
import { attemptOf } from './headers.ts';
import type { QueueSpec } from './queues.ts';
import { Subscription, type Delivery } from './subscription.ts';

export interface ConsumerOptions<Spec extends MessageSpec> {
  broker: Broker;
  /** Declared at every subscription. */
  queue: QueueSpec<Spec>;
  logger: Logger;
  /** Messages in hand at a time; the queue's own by default. */
  prefetch?: number;
  /** A first message that takes longer than this does not keep the others waiting; 10,000 by default. */
  widenedAfterMs?: number;
  /** Attempts before a message becomes a dead letter; one more than there are retry delays by default. */
  maxAttempts?: number;
  /** How long `stop()` waits for what is in hand; 20,000 by default. */
  drainTimeoutMs?: number;
}

/** Named after its queue. */
export interface Consumer extends Part {
  isSubscribed(): boolean;
  /**
   * Milliseconds since the consumer showed that it works: also when it is idle, or waits for a broker that is away or
   * does not answer, but not while one message stays in hand without a beat. For liveness.
   */
  beatAgeMs(): number;
  backlog(): Promise<Backlog>;
  /** Takes no more, finishes what is in hand within the drain time, and gives the rest back. */
  stop(): Promise<void>;
}

const DRAIN_TIMEOUT_MS = 20_000;

/** A delivery this recent says how old the head of the queue is. */
const FRESH_MS = 60_000;

/**
 * How long the head of a queue has waited, at most. The broker does not tell, but a queue keeps its order: what waits
 * was published after what came last, and has not waited for longer than the queue has been seen to hold something.
 */
class HeadAge {
  #publishedAtMs = 0;
  #deliveredAtMs = 0;
  #waitingSinceMs: number | undefined;

  delivered(timestampSeconds: unknown): void {
    this.#deliveredAtMs = Date.now();
    if (typeof timestampSeconds === 'number') this.#publishedAtMs = timestampSeconds * 1000;
  }

  at(waiting: number): number {
    const nowMs = Date.now();
    if (waiting === 0) {
      this.#waitingSinceMs = undefined;
      return 0;
    }
    this.#waitingSinceMs ??= nowMs;
    const isFresh = nowMs - this.#deliveredAtMs < FRESH_MS;
    const sinceMs = isFresh ? this.#publishedAtMs : Math.max(this.#publishedAtMs, this.#waitingSinceMs);
    return Math.max(0, nowMs - sinceMs);
  }
}

/** What every consumer has: a subscription, messages that wait for a hand, and an orderly end. */
export class Intake<Spec extends MessageSpec> {
  readonly prefetch: number;
  readonly inHand = new WorkInHand();
  readonly failures: Failures;
  readonly #options: ConsumerOptions<Spec>;
  readonly #subscription: Subscription;
  readonly #stopping = new AbortController();
  readonly #abandoned = new AbortController();
  #waiting: Delivery[] = [];
  readonly #age = new HeadAge();

  /** Calls `onWaiting` with each message that comes in; it takes what it can. */
  constructor(options: ConsumerOptions<Spec>, onWaiting: () => void) {
    const { broker, queue, logger, maxAttempts = broker.retryDelaysMs.length + 1 } = options;
    this.#options = options;
    this.prefetch = options.prefetch ?? queue.prefetch;
    this.failures = createFailures({ broker, queueName: queue.name, maxAttempts, logger });
    const onDelivery = (delivery: Delivery) => {
      this.#age.delivered(delivery.message.properties.timestamp as unknown);
      this.#waiting.push(delivery);
      onWaiting();
    };
    this.#subscription = new Subscription({
      broker,
      queue,
      prefetch: this.prefetch,
      logger,
      widenedAfterMs: options.widenedAfterMs,
      onDelivery,
    });
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  /** Aborted once nothing new may begin. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Aborted once nobody waits for what is in hand. */
  get abandoned(): AbortSignal {
    return this.#abandoned.signal;
  }

  /** Up to so many of the waiting messages, without those that the broker has already taken back. */
  take(max: number): Delivery[] {
    if (this.stopping.aborted) return [];
    this.#waiting = this.#waiting.filter(({ signal }) => !signal.aborted);
    return this.#waiting.splice(0, max);
  }

  /** The envelope of a delivery; what is none becomes a dead letter. */
  async parseOrBury(delivery: Delivery): Promise<EnvelopeOf<Spec> | undefined> {
    try {
      return validEnvelope(this.#options.queue.message, readJson(delivery.message.content.toString()));
    } catch (error) {
      await this.failures.bury(delivery, attemptOf(delivery.message.properties), 'malformed', error);
      return undefined;
    }
  }

  /** This intake as its owner sees it. */
  consumer(): Consumer {
    return {
      name: this.#options.queue.name,
      takesWork: true,
      isSubscribed: () => this.#subscription.isActive(),
      beatAgeMs: () => {
        const workBeatAtMs = this.inHand.oldestBeatAtMs() ?? Number.POSITIVE_INFINITY;
        return Date.now() - Math.min(this.#subscription.beatAtMs, workBeatAtMs);
      },
      backlog: async () => {
        const { messages, deadLetters } = await this.#subscription.depth();
        return { waiting: messages, oldestAgeMs: this.#age.at(messages), givenUp: deadLetters };
      },
      onWorkEnded: (tell) => this.inHand.onEnd(tell),
      stop: () => this.#stop(),
    };
  }

  async #stop(): Promise<void> {
    this.#stopping.abort();
    await this.#subscription.cancel();
    this.#waiting.forEach((delivery) => delivery.giveBack());
    this.#waiting = [];
    if (!(await this.inHand.finished(this.#options.drainTimeoutMs ?? DRAIN_TIMEOUT_MS))) this.#abandoned.abort();
    await this.#subscription.close();
    await this.failures.close();
  }
}
