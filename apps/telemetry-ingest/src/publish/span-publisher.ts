import { comeBackLater } from '@clew/kernel';
import { EXCHANGE_OF_KIND, routingKeyOf, spansReceived } from '@clew/contracts';
import { BrokerUnavailableError, PublishRejectedError, UnroutableMessageError, type Publisher } from '@clew/messaging';

export interface SpanPublisher {
  /** Resolves when the message is on a durable queue; rejects with OVERLOADED while it cannot be. */
  publish(messageId: string, body: Buffer): Promise<void>;
  /** Bytes of messages that are still held although their publish was given up: the broker never answered. */
  orphanedBytes(): number;
}

const RETRY_AFTER_MS = 2_000;
const EXCHANGE = EXCHANGE_OF_KIND[spansReceived.kind];
const ROUTING_KEY = routingKeyOf(spansReceived);

export function createSpanPublisher(publisher: Pick<Publisher, 'publishRaw' | 'inFlight'>): SpanPublisher {
  let awaitedBytes = 0;
  return {
    async publish(messageId, body) {
      awaitedBytes += body.length;
      try {
        await publisher.publishRaw(EXCHANGE, ROUTING_KEY, body, { messageId, mandatory: true });
      } catch (error) {
        throw asCallerError(error);
      } finally {
        awaitedBytes -= body.length;
      }
    },
    orphanedBytes: () => Math.max(0, publisher.inFlight().bytes - awaitedBytes),
  };
}

function asCallerError(error: unknown): unknown {
  if (error instanceof PublishRejectedError) {
    return comeBackLater('OVERLOADED', 'The queue is full: send again later', RETRY_AFTER_MS, error);
  }
  if (error instanceof BrokerUnavailableError || error instanceof UnroutableMessageError) {
    return comeBackLater('OVERLOADED', 'The queue cannot be reached: send again later', RETRY_AFTER_MS, error);
  }
  return error;
}
