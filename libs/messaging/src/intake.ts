import type { EnvelopeOf, MessageSpec } from '@clew/contracts';
import type { Logger } from '@clew/runtime';
import type { Broker } from './broker.ts';
import { validEnvelope } from './envelopes.ts';
import { createFailures, type Failures } from './failures.ts';
import { attemptOf } from './headers.ts';
import type { QueueSpec } from './queues.ts';
import { Subscription, type Delivery } from './subscription.ts';
import { WorkInHand } from './work.ts';

export interface ConsumerOptions<Spec extends MessageSpec> {
  broker: Broker;
  /** Declared at every subscription. */
  queue: QueueSpec<Spec>;
  logger: Logger;
  /** Messages in hand at a time; the queue's own by default. */
  prefetch?: number;
  /** Attempts before a message becomes a dead letter; one more than there are retry delays by default. */
  maxAttempts?: number;
  /** How long `stop()` waits for what is in hand; 20,000 by default. */
  drainTimeoutMs?: number;
  /** How often an idle subscription shows that it works; 15,000 by default. */
  checkIntervalMs?: number;
}

export interface Consumer {
  isSubscribed(): boolean;
  /**
   * Milliseconds since the consumer showed that it works: also when it is idle, or waits for a broker that is away, but
   * not while one message stays in hand without a beat. For liveness.
   */
  beatAgeMs(): number;
  /** Takes no more, finishes what is in hand within the drain time, and gives the rest back. */
  stop(): Promise<void>;
}

const DRAIN_TIMEOUT_MS = 20_000;
const CHECK_INTERVAL_MS = 15_000;

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

  /** Calls `onWaiting` with each message that comes in; it takes what it can. */
  constructor(options: ConsumerOptions<Spec>, onWaiting: () => void) {
    const { broker, queue, logger, maxAttempts = broker.retryDelaysMs.length + 1 } = options;
    this.#options = options;
    this.prefetch = options.prefetch ?? queue.prefetch;
    this.failures = createFailures({ broker, queueName: queue.name, maxAttempts, logger });
    const onDelivery = (delivery: Delivery) => {
      this.#waiting.push(delivery);
      onWaiting();
    };
    const checkIntervalMs = options.checkIntervalMs ?? CHECK_INTERVAL_MS;
    this.#subscription = new Subscription({
      broker,
      queue,
      prefetch: this.prefetch,
      logger,
      checkIntervalMs,
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
      return validEnvelope(this.#options.queue.message, JSON.parse(delivery.message.content.toString()));
    } catch (error) {
      await this.failures.bury(delivery, attemptOf(delivery.message.properties), 'malformed', error);
      return undefined;
    }
  }

  /** This intake as its owner sees it. */
  consumer(): Consumer {
    return {
      isSubscribed: () => this.#subscription.isActive(),
      beatAgeMs: () => {
        const workBeatAtMs = this.inHand.oldestBeatAtMs() ?? Number.POSITIVE_INFINITY;
        return Date.now() - Math.min(this.#subscription.beatAtMs, workBeatAtMs);
      },
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
