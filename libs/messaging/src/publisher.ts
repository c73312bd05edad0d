import { EXCHANGE_OF_KIND, routingKeyOf, type EnvelopeOf, type MessageSpec } from '@clew/contracts';
import { beginSpan, inSpan } from '@clew/runtime';
import type { Broker } from './broker.ts';
import { validEnvelope } from './envelopes.ts';
import { TRACE_HEADER } from './headers.ts';
import { MessageTooLargeError } from './errors.ts';
import { SendQueue, type RawProperties } from './send-queue.ts';

export interface PublisherOptions {
  /**
   * Bytes of message bodies that may wait for their confirm; 64 MiB by default. The same amount may wait to be sent.
   */
  maxInFlightBytes?: number;
  /** Time that a publish waits for a connection, or for room among those in flight; 1,000 by default. */
  maxWaitMs?: number;
  /** Time within which the broker must confirm; 15,000 by default. */
  confirmTimeoutMs?: number;
}

export interface PublishOptions {
  /** False lets the broker drop the message if no queue is bound; true by default. */
  mandatory?: boolean;
  /** True if the message has just been validated. */
  skipValidation?: boolean;
}

export interface Publisher {
  /**
   * Publishes a message to the exchange and routing key of its kind and type, and resolves once the broker has it on
   * disk on a majority of its nodes. Throws a ZodError for an envelope that does not fit the message's schema.
   */
  publish<Spec extends MessageSpec>(spec: Spec, envelope: EnvelopeOf<Spec>, options?: PublishOptions): Promise<void>;
  /** Publishes bytes unchanged, with the same guarantee. */
  publishRaw(exchange: string, routingKey: string, body: Buffer, properties?: RawProperties): Promise<void>;
  /** Counts the messages that wait for a confirm, or to be sent. */
  inFlight(): { messages: number; bytes: number };
  /** Takes no more, and waits for the confirms of sent messages, at most the confirm timeout. */
  close(): Promise<void>;
}

/** Maximum size of a message: RabbitMQ 4 accepts 16 MiB, headers included. */
export const MAX_MESSAGE_BYTES = 15 * 1024 * 1024;

/**
 * Creates a publisher with a channel of its own. Rejections: BrokerUnavailableError (not connected in time, or the
 * outcome is unknown), PublishRejectedError (a queue is full), UnroutableMessageError, MessageTooLargeError. A publish
 * with unknown outcome may be repeated, because consumers recognize messages by their ids.
 */
export function createPublisher(broker: Broker, options: PublisherOptions = {}): Publisher {
  const queue = new SendQueue(broker, {
    maxInFlightBytes: options.maxInFlightBytes ?? 64 * 1024 * 1024,
    maxWaitMs: options.maxWaitMs ?? 1_000,
    confirmTimeoutMs: options.confirmTimeoutMs ?? 15_000,
  });
  const publishRaw: Publisher['publishRaw'] = async (exchange, routingKey, body, properties = {}) => {
    if (body.length > MAX_MESSAGE_BYTES) {
      throw new MessageTooLargeError(`A message of ${body.length} bytes is over the limit of ${MAX_MESSAGE_BYTES}`);
    }
    const span = beginSpan({ name: `publish ${routingKey}`, kind: 'producer' });
    const traced =
      span === undefined
        ? properties
        : { ...properties, headers: { ...properties.headers, [TRACE_HEADER]: span.traceparent } };
    await inSpan(span, () => queue.send(exchange, routingKey, body, traced));
  };
  return {
    publishRaw,
    async publish(spec, envelope, { mandatory = true, skipValidation = false } = {}) {
      if (!skipValidation) validEnvelope(spec, envelope);
      const body = Buffer.from(JSON.stringify(envelope));
      await publishRaw(EXCHANGE_OF_KIND[spec.kind], routingKeyOf(spec), body, { messageId: envelope.id, mandatory });
    },
    inFlight: () => queue.inFlight,
    close: () => queue.close(),
  };
}
