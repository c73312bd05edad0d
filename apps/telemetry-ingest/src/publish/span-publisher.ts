import { comeBackLater, type Clock } from '@clew/kernel';
import { EXCHANGE_OF_KIND, routingKeyOf, spansReceived } from '@clew/contracts';
import { BrokerUnavailableError, PublishRejectedError, UnroutableMessageError, type Publisher } from '@clew/messaging';
import { createLaneChoice } from './lane-choice.ts';

export interface SpanPublisherDependencies {
  publisher: Pick<Publisher, 'publishRaw' | 'inFlight'>;
  clock: Clock;
}

export interface SpanPublisher {
  /**
   * Publishes a message of a project on the lane that the project's latest messages call for. Resolves when the message
   * is on a durable queue; rejects with OVERLOADED while it cannot be.
   */
  publish(projectId: string, messageId: string, body: Buffer): Promise<void>;
  /** Bytes of messages that are still held although their publish was given up: the broker never answered. */
  orphanedBytes(): number;
}

const RETRY_AFTER_MS = 2_000;
const EXCHANGE = EXCHANGE_OF_KIND[spansReceived.kind];

export function createSpanPublisher({ publisher, clock }: SpanPublisherDependencies): SpanPublisher {
  const laneOf = createLaneChoice();
  let awaitedBytes = 0;
  return {
    async publish(projectId, messageId, body) {
      const routingKey = routingKeyOf(spansReceived, laneOf(projectId, body.length, clock.now()));
      awaitedBytes += body.length;
      try {
        await publisher.publishRaw(EXCHANGE, routingKey, body, { messageId, mandatory: true });
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
