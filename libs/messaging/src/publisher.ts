import { EXCHANGE_OF_KIND, routingKeyOf, type EnvelopeOf, type MessageSpec } from '@clew/contracts';
import { beginSpan, inSpan } from '@clew/runtime';
import type { Broker } from './broker.ts';
import { validEnvelope } from './envelopes.ts';
import { TRACE_HEADER } from './headers.ts';
import { MessageTooLargeError } from './errors.ts';
import { SendQueue, type RawProperties } from './send-queue.ts';

export interface PublisherOptions {
  /** Bytes of message bodies that may wait for their confirm; 64 MiB by default. As many again may wait to be sent. */
  maxInFlightBytes?: number;
  /** How long a publish waits for a connection, or for room among those in flight; 1,000 by default. */
  maxWaitMs?: number;
  /** How long the broker may take to confirm; 15,000 by default. */
  confirmTimeoutMs?: number;
}

export interface PublishOptions {
  /** False lets the broker drop the message where no queue is bound; true by default. */
  mandatory?: boolean;
  /** For what was validated a moment ago. */
  skipValidation?: boolean;
}

export interface Publisher {
  /**
   * Publishes a message where its kind and type say, and resolves once the broker has it on disk on a majority of its
   * nodes. Throws a ZodError for an envelope that does not fit the message's schema.
   */
  publish<Spec extends MessageSpec>(spec: Spec, envelope: EnvelopeOf<Spec>, options?: PublishOptions): Promise<void>;
  /** Publishes bytes as they are, with the same promise. */
  publishRaw(exchange: string, routingKey: string, body: Buffer, properties?: RawProperties): Promise<void>;
  /** What waits for a confirm, or to be sent. */
  inFlight(): { messages: number; bytes: number };
  /** Takes no more, and waits for the confirms of what was sent, at most the confirm timeout. */
  close(): Promise<void>;
}

/** RabbitMQ 4 takes 16 MiB, headers included. */
export const MAX_MESSAGE_BYTES = 15 * 1024 * 1024;

/**
 * A publisher with a channel of its own. Rejections: BrokerUnavailableError (not connected in time, or the outcome is
 * unknown), PublishRejectedError (a queue is full), UnroutableMessageError, MessageTooLargeError. A publish whose
 * outcome is unknown may be repeated, since consumers know messages by their ids.
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
