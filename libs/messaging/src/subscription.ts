import { setTimeout as sleep } from 'node:timers/promises';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { Logger } from '@clew/runtime';
import type { Broker } from './broker.ts';
import { deliveryCountOf } from './headers.ts';
import { BrokerUnavailableError } from './errors.ts';
import { closeChannel, keepChannel, type KeptChannel } from './kept-channel.ts';
import { countsOf } from './queue-counts.ts';
import type { QueueSpec } from './queue-spec.ts';
import { deadLetterQueueOf, declareQueue } from './topology.ts';

/** Message in the hands of this process. Answers are ignored once the channel is lost: the message then comes again. */
export interface Delivery {
  readonly message: ConsumeMessage;
  /** Aborted when the channel is lost. */
  readonly signal: AbortSignal;
  ack(): void;
  /**
   * Reports a failure. Counts toward the delivery limit if the message is put back; otherwise the message becomes a
   * dead letter.
   */
  reject(putBack: boolean): void;
  /** Returns a message that was not begun. Not counted as a failure from RabbitMQ 4.3 on. */
  giveBack(): void;
}

export interface SubscriptionOptions {
  broker: Broker;
  queue: QueueSpec;
  prefetch: number;
  logger: Logger;
  /** Time in hand after which a first message no longer has to be alone; 10,000 by default. */
  widenedAfterMs?: number | undefined;
  onDelivery(delivery: Delivery): void;
}

/** Time within which a message that kills its process has done so. */
const WIDENED_AFTER_MS = 10_000;

/**
 * Subscription that is renewed whenever its channel is lost. It begins with one message at a time, until a message that
 * was never delivered before is settled, or one was in hand for a while. A message that kills its process is thus alone
 * when it comes again, and the broker counts its deliveries separately from its neighbors'. A merely slow message, such
 * as a model call that never answers, does not hold back all others.
 */
export class Subscription {
  readonly #options: SubscriptionOptions;
  readonly #kept: KeptChannel;
  readonly #checks: NodeJS.Timeout;
  #consumerTag: string | undefined;
  #narrow = true;
  #cancelled = false;
  /** True if the queue was retired, and the migration has deleted it. */
  #isGone = false;
  /** Widening that is under way: it exchanges the consumer tag. */
  #widening: Promise<void> = Promise.resolve();
  #lost = new AbortController();
  /** Deliveries of the current channel that were not answered yet. */
  #unanswered = 0;
  #heartbeatAtMs = Date.now();

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.#kept = keepChannel({
      connection: options.broker.consuming,
      logger: options.logger,
      prepare: (channel) => this.#prepare(channel),
      lost: () => this.#lost.abort(),
    });
    this.#checks = setInterval(() => void this.#check(), options.broker.checkIntervalMs).unref();
  }

  isActive(): boolean {
    return this.#kept.current() !== undefined && this.#consumerTag !== undefined;
  }

  /**
   * Time of the subscription's last self-check, whatever its result: the broker's state is no fault of this process.
   */
  get heartbeatAtMs(): number {
    return this.#heartbeatAtMs;
  }

  /** Counts the messages of the queue and its dead letters; rejects if the broker does not answer in time. */
  async depth(): Promise<{ messages: number; deadLetters: number }> {
    if (this.#isGone) return { messages: 0, deadLetters: 0 };
    const channel = this.#kept.current();
    if (channel === undefined) throw new BrokerUnavailableError('There is no subscription');
    const { name } = this.#options.queue;
    const asked = Promise.all([countsOf(channel, name), countsOf(channel, deadLetterQueueOf(name))]);
    const [own, dead] = await within(asked, this.#options.broker.consuming.answerTimeoutMs);
    return { messages: own.messages, deadLetters: dead.messages };
  }

  /** Takes no more deliveries; those in hand can still be answered. */
  async cancel(): Promise<void> {
    this.#cancelled = true;
    await this.#widening;
    const tag = this.#consumerTag;
    const channel = this.#kept.current();
    this.#consumerTag = undefined;
    if (tag === undefined || channel === undefined) return;
    const cancelled = channel.cancel(tag).catch(() => undefined);
    const { answerTimeoutMs } = this.#options.broker.consuming;
    await Promise.race([cancelled, sleep(answerTimeoutMs, undefined, { ref: false })]);
  }

  /** Ends the subscription; the broker takes back the unanswered messages. */
  async close(): Promise<void> {
    clearInterval(this.#checks);
    await this.#kept.close();
  }

  async #prepare(channel: ConfirmChannel): Promise<void> {
    this.#lost = new AbortController();
    this.#unanswered = 0;
    this.#narrow = this.#options.prefetch > 1;
    this.#consumerTag = undefined;
    await this.#requireQueue(channel);
    if (!this.#cancelled && !this.#isGone) await this.#consume(channel, 1);
    this.#heartbeatAtMs = Date.now();
  }

  async #requireQueue(channel: ConfirmChannel): Promise<void> {
    const { queue, broker } = this.#options;
    this.#isGone = queue.retired === true && !(await exists(broker, queue.name));
    if (this.#isGone) return;
    if (queue.declaredByConsumer === true) await declareQueue(channel, queue);
    else await channel.checkQueue(queue.name);
  }

  async #consume(channel: ConfirmChannel, prefetch: number): Promise<void> {
    const { signal } = this.#lost;
    await channel.prefetch(prefetch);
    const { consumerTag } = await channel.consume(this.#options.queue.name, (message) => {
      if (message === null) this.#consumerCancelledByBroker();
      else this.#options.onDelivery(this.#deliveryOf(channel, signal, message));
    });
    this.#consumerTag = consumerTag;
  }

  // The queue was deleted, or its leader moved: declare and subscribe again.
  #consumerCancelledByBroker(): void {
    this.#options.logger.warn({ queue: this.#options.queue.name }, 'the broker cancelled the subscription');
    this.#kept.recycle();
  }

  #deliveryOf(channel: ConfirmChannel, signal: AbortSignal, message: ConsumeMessage): Delivery {
    this.#unanswered += 1;
    const survived = this.#narrow ? this.#widenLater(channel, signal) : undefined;
    const settle = (answer: () => void) => {
      clearTimeout(survived);
      if (signal.aborted) return;
      this.#unanswered -= 1;
      try {
        answer();
      } catch {
        return; // The channel has just closed.
      }
      if (this.#narrow && deliveryCountOf(message.properties) === 0) this.#widen(channel, signal);
    };
    return {
      message,
      signal,
      ack: () => settle(() => channel.ack(message)),
      reject: (putBack) => settle(() => channel.reject(message, putBack)),
      giveBack: () => settle(() => channel.nack(message, false, true)),
    };
  }

  #widenLater(channel: ConfirmChannel, signal: AbortSignal): NodeJS.Timeout {
    const { widenedAfterMs = WIDENED_AFTER_MS } = this.#options;
    return setTimeout(() => {
      if (this.#narrow && !signal.aborted) this.#widen(channel, signal);
    }, widenedAfterMs).unref();
  }

  #widen(channel: ConfirmChannel, signal: AbortSignal): void {
    const tag = this.#consumerTag;
    // The answer to the subscription may still be on its way; then the next message triggers the widening.
    if (this.#cancelled || tag === undefined) return;
    this.#narrow = false;
    const exchangeConsumer = async () => {
      // A quorum queue's consumer cannot change its prefetch.
      await channel.cancel(tag);
      this.#consumerTag = undefined;
      if (!this.#cancelled) await this.#consume(channel, this.#options.prefetch);
    };
    this.#widening = exchangeConsumer().catch(() => {
      if (!signal.aborted) this.#kept.recycle();
    });
  }

  /** Checks the queue on the channel of the subscription, which shows that the channel is alive. */
  async #check(): Promise<void> {
    this.#heartbeatAtMs = Date.now();
    const channel = this.#kept.current();
    if (channel === undefined || this.#isGone) return;
    try {
      const asked = channel.checkQueue(this.#options.queue.name);
      const { messageCount } = await within(asked, this.#options.broker.checkIntervalMs);
      if (this.#options.queue.retired === true) await this.#holdWhileFilled(channel, messageCount);
    } catch {
      this.#kept.recycle();
    }
  }

  /**
   * Lets go of a retired queue while it is empty, and holds it while it is not. The migration deletes it once it is
   * empty and without consumers: then no message can be in hand.
   */
  async #holdWhileFilled(channel: ConfirmChannel, messageCount: number): Promise<void> {
    const tag = this.#consumerTag;
    if (this.#cancelled) return;
    if (tag === undefined && messageCount > 0) await this.#consume(channel, this.#options.prefetch);
    if (tag === undefined || messageCount > 0 || this.#unanswered > 0) return;
    this.#consumerTag = undefined;
    await channel.cancel(tag);
  }
}

/** Checks on a separate channel, because the broker closes a channel that asks for a missing queue. */
async function exists(broker: Broker, queueName: string): Promise<boolean> {
  const channel = await broker.openChannel();
  channel.on('error', () => undefined);
  try {
    await channel.checkQueue(queueName);
    return true;
  } catch {
    return false;
  } finally {
    await closeChannel(channel, broker.consuming.answerTimeoutMs);
  }
}

async function within<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  const late = new AbortController();
  const timeout = sleep(timeoutMs, undefined, { ref: false, signal: late.signal }).then(() => {
    throw new BrokerUnavailableError(`The broker did not answer within ${timeoutMs} ms`);
  });
  timeout.catch(() => undefined);
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    late.abort();
    answer.catch(() => undefined);
  }
}
