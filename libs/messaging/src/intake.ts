import { readJson } from '@clew/kernel';
import type { EnvelopeOf, MessageSpec } from '@clew/contracts';
import { WorkInHand, type Backlog, type Logger, type BackgroundTask } from '@clew/runtime';
import type { Broker } from './broker.ts';
import { validEnvelope } from './envelopes.ts';
import { createFailures, type Failures } from './failures.ts';
import { attemptOf } from './headers.ts';
import type { QueueSpec } from './queue-spec.ts';
import { Subscription, type Delivery } from './subscription.ts';

export interface ConsumerOptions<Spec extends MessageSpec> {
  broker: Broker;
  /** Queue; declared at every subscription. */
  queue: QueueSpec<Spec>;
  logger: Logger;
  /** Maximum number of messages in hand; the queue's own by default. */
  prefetch?: number;
  /** Time after which a slow first message no longer holds back the others; 10,000 by default. */
  widenedAfterMs?: number;
  /** Attempts before a message becomes a dead letter; by default the number of retry delays plus one. */
  maxAttempts?: number;
  /** Time that `stop()` waits for the messages in hand; 20,000 by default. */
  drainTimeoutMs?: number;
}

/** Consumer, named after its queue. */
export interface Consumer extends BackgroundTask {
  isSubscribed(): boolean;
  /**
   * Milliseconds since the last heartbeat of the consumer, for liveness. It also gives heartbeats while it is idle, or
   * waits for a broker that is away or does not answer, but not while one message stays in hand without a heartbeat.
   */
  heartbeatAgeMs(): number;
  backlog(): Promise<Backlog>;
  /** Takes no more, finishes the messages in hand within the drain time, and gives the rest back. */
  stop(): Promise<void>;
}

const DRAIN_TIMEOUT_MS = 20_000;

/** Maximum age of a delivery that shows how old the head of the queue is. */
const FRESH_MS = 60_000;

/**
 * Upper limit of the time that the head of a queue has waited. The broker does not report it, but a queue keeps its
 * order: a waiting message was published after the last delivered one, and has not waited longer than the queue has
 * been seen to be non-empty.
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

/** Common part of all consumers: a subscription, messages that wait to be handled, and an orderly end. */
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

  /** Creates an intake that calls `onWaiting` for each incoming message; the callee takes what it can. */
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

  /** Aborted once no new work may begin. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Aborted once nobody waits for the work in hand. */
  get abandoned(): AbortSignal {
    return this.#abandoned.signal;
  }

  /** Takes up to `max` of the waiting messages, without those that the broker has already taken back. */
  take(max: number): Delivery[] {
    if (this.stopping.aborted) return [];
    this.#waiting = this.#waiting.filter(({ signal }) => !signal.aborted);
    return this.#waiting.splice(0, max);
  }

  /** Returns the envelope of a delivery; an invalid one becomes a dead letter. */
  async parseOrBury(delivery: Delivery): Promise<EnvelopeOf<Spec> | undefined> {
    try {
      return validEnvelope(this.#options.queue.message, readJson(delivery.message.content.toString()));
    } catch (error) {
      await this.failures.bury(delivery, attemptOf(delivery.message.properties), 'malformed', error);
      return undefined;
    }
  }

  /** Returns this intake in the form for its owner. */
  consumer(): Consumer {
    return {
      name: this.#options.queue.name,
      takesWork: true,
      isSubscribed: () => this.#subscription.isActive(),
      heartbeatAgeMs: () => {
        const workHeartbeatAtMs = this.inHand.oldestHeartbeatAtMs() ?? Number.POSITIVE_INFINITY;
        return Date.now() - Math.min(this.#subscription.heartbeatAtMs, workHeartbeatAtMs);
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
