import { randomUUID } from 'node:crypto';
import type { ConfirmChannel } from 'amqplib';
import { sha256Hex } from '@clew/kernel';
import type { Broker } from './broker.ts';
import type { Connection } from './connection.ts';
import { BrokerUnavailableError, PublishRejectedError, UnroutableMessageError } from './errors.ts';
import { keepChannel, type KeptChannel } from './kept-channel.ts';

export interface SendLimits {
  maxInFlightBytes: number;
  maxWaitMs: number;
  confirmTimeoutMs: number;
}

export interface RawProperties {
  /** Random if absent. */
  messageId?: string;
  headers?: Readonly<Record<string, unknown>>;
  /** `application/json` if absent. */
  contentType?: string;
  /** False lets the broker drop the message if no queue is bound; true by default. */
  mandatory?: boolean;
}

interface Entry {
  exchange: string;
  routingKey: string;
  body: Buffer;
  properties: RawProperties;
  sent: boolean;
  returned: boolean;
  timer?: NodeJS.Timeout;
  resolve(): void;
  reject(error: Error): void;
}

const MAX_SHORT_TEXT_BYTES = 255;

/** Sends messages on one channel in the order of the calls, with a limit on unconfirmed messages. */
export class SendQueue {
  readonly #connection: Connection;
  readonly #limits: SendLimits;
  readonly #kept: KeptChannel;
  readonly #endListening: () => void;
  readonly #waiting: Entry[] = [];
  readonly #pending = new Map<string, Entry>();
  #waitingBytes = 0;
  #pendingBytes = 0;
  #sequence = 0;
  #closing = false;
  #idle: (() => void) | undefined;

  constructor(broker: Broker, limits: SendLimits) {
    this.#connection = broker.publishing;
    this.#limits = limits;
    this.#kept = keepChannel({
      connection: broker.publishing,
      logger: broker.logger,
      prepare: async (channel) => this.#watchReturns(channel),
      opened: () => this.#sendWaiting(),
    });
    this.#endListening = broker.publishing.onChange(() => this.#sendWaiting());
  }

  get inFlight(): { messages: number; bytes: number } {
    return {
      messages: this.#pending.size + this.#waiting.length,
      bytes: this.#pendingBytes + this.#waitingBytes,
    };
  }

  /** Resolves with the confirm. */
  async send(exchange: string, routingKey: string, body: Buffer, properties: RawProperties): Promise<void> {
    if (this.#closing) throw new BrokerUnavailableError('The publisher is closed');
    if (this.#waiting.length > 0 && this.#waitingBytes + body.length > this.#limits.maxInFlightBytes) {
      throw new BrokerUnavailableError('Too many messages wait for the broker');
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const entry: Entry = { exchange, routingKey, body, properties, sent: false, returned: false, resolve, reject };
    this.#waiting.push(entry);
    this.#waitingBytes += body.length;
    this.#sendWaiting();
    if (!entry.sent) entry.timer = setTimeout(() => this.#giveUpWaiting(entry), this.#limits.maxWaitMs);
    await promise;
  }

  /** Takes no more, and waits for the confirms of sent messages. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#endListening();
    for (const entry of [...this.#waiting]) this.#giveUpWaiting(entry);
    if (this.#pending.size > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#idle = resolve;
      const timer = setTimeout(resolve, this.#limits.confirmTimeoutMs);
      await promise;
      clearTimeout(timer);
    }
    await this.#kept.close();
  }

  #watchReturns(channel: ConfirmChannel): void {
    channel.on('return', (message) => {
      const entry = this.#pending.get(String(message.properties.correlationId));
      if (entry !== undefined) entry.returned = true;
    });
  }

  #sendWaiting(): void {
    const channel = this.#kept.current();
    while (channel !== undefined && !this.#connection.isBlocked()) {
      const entry = this.#waiting[0];
      if (entry === undefined || !this.#hasRoom(entry)) return;
      this.#waiting.shift();
      this.#waitingBytes -= entry.body.length;
      this.#transmit(channel, entry);
    }
  }

  // One message may always be in flight, however large.
  #hasRoom(entry: Entry): boolean {
    return this.#pending.size === 0 || this.#pendingBytes + entry.body.length <= this.#limits.maxInFlightBytes;
  }

  #transmit(channel: ConfirmChannel, entry: Entry): void {
    const id = String(++this.#sequence);
    clearTimeout(entry.timer);
    entry.sent = true;
    this.#pending.set(id, entry);
    this.#pendingBytes += entry.body.length;
    try {
      const properties = amqpProperties(entry.properties, id);
      channel.publish(entry.exchange, entry.routingKey, entry.body, properties, (error: Error | null) =>
        this.#settle(id, error),
      );
    } catch (error) {
      this.#settle(id, new BrokerUnavailableError('The message could not be sent', { cause: error }));
      return;
    }
    const { confirmTimeoutMs } = this.#limits;
    const late = () => entry.reject(new BrokerUnavailableError(`No confirm within ${confirmTimeoutMs} ms`));
    // A late message still counts as in flight: its bytes stay in memory until the broker answers or the channel ends.
    entry.timer = setTimeout(late, confirmTimeoutMs);
  }

  #settle(id: string, error: Error | null): void {
    const entry = this.#pending.get(id);
    if (entry === undefined) return;
    this.#pending.delete(id);
    this.#pendingBytes -= entry.body.length;
    clearTimeout(entry.timer);
    if (error !== null) entry.reject(toPublishError(error));
    else if (entry.returned) entry.reject(new UnroutableMessageError(`No queue is bound for ${entry.routingKey}`));
    else entry.resolve();
    if (this.#pending.size === 0) this.#idle?.();
    this.#sendWaiting();
  }

  #giveUpWaiting(entry: Entry): void {
    clearTimeout(entry.timer);
    this.#waiting.splice(this.#waiting.indexOf(entry), 1);
    this.#waitingBytes -= entry.body.length;
    entry.reject(new BrokerUnavailableError(`The broker took no message for ${this.#limits.maxWaitMs} ms`));
  }
}

function amqpProperties(properties: RawProperties, correlationId: string) {
  return {
    persistent: true,
    mandatory: properties.mandatory ?? true,
    contentType: properties.contentType ?? 'application/json',
    messageId: properties.messageId === undefined ? randomUUID() : shortened(properties.messageId),
    timestamp: Math.floor(Date.now() / 1000),
    // Identifier of the publish: a returned message carries it, before its confirm.
    correlationId,
    headers: properties.headers ?? {},
  };
}

/** AMQP's short texts have at most 255 bytes; the envelope contains the full id, which consumers use. */
function shortened(messageId: string): string {
  return Buffer.byteLength(messageId) <= MAX_SHORT_TEXT_BYTES ? messageId : sha256Hex(messageId);
}

function toPublishError(error: Error): Error {
  if (error instanceof BrokerUnavailableError) return error;
  // The text is the client's only distinction between a rejection and a lost channel.
  if (error.message === 'message nacked') return new PublishRejectedError('A queue refused the message');
  return new BrokerUnavailableError('The channel was lost before the confirm', { cause: error });
}
