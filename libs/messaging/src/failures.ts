import { describeError } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import type { Broker } from './broker.ts';
import { ATTEMPT_HEADER, DEAD_REASON_HEADER, LAST_ERROR_HEADER, portableHeaders } from './headers.ts';
import { createPublisher } from './publisher.ts';
import type { Delivery } from './subscription.ts';
import { DEAD_EXCHANGE } from './queue-spec.ts';
import { retryExchangeOf } from './topology.ts';

export interface FailureOptions {
  broker: Broker;
  queueName: string;
  maxAttempts: number;
  logger: Logger;
}

/**
 * Handling of messages that a consumer failed on. No method rejects. A message whose channel was lost is left alone:
 * the broker delivers it again, and publishing it would create a second copy.
 */
export interface Failures {
  /** Schedules the next attempt, or, after the last one, moves the message to the dead letters. */
  retryOrBury(delivery: Delivery, attempt: number, error: unknown): Promise<void>;
  /** Moves the message to the dead letters at once. */
  bury(delivery: Delivery, attempt: number, reason: 'attempts-exhausted' | 'malformed', error: unknown): Promise<void>;
  close(): Promise<void>;
}

/**
 * Publishes a failed message to its next queue, and only after the confirm removes it from its own: it is never on
 * neither.
 */
export function createFailures({ broker, queueName, maxAttempts, logger }: FailureOptions): Failures {
  const publisher = createPublisher(broker);

  async function moveTo(exchange: string, delivery: Delivery, headers: Record<string, unknown>): Promise<void> {
    const { content, properties } = delivery.message;
    await publisher.publishRaw(exchange, queueName, content, {
      headers: { ...portableHeaders(properties), ...headers },
      ...(typeof properties.messageId === 'string' ? { messageId: properties.messageId } : {}),
      ...(typeof properties.contentType === 'string' ? { contentType: properties.contentType } : {}),
    });
    delivery.ack();
  }

  const bury: Failures['bury'] = async (delivery, attempt, reason, error) => {
    if (delivery.signal.aborted) return;
    logger.error({ err: error, queue: queueName, attempt, reason, ...idOf(delivery) }, 'message given up');
    const headers = {
      [DEAD_REASON_HEADER]: reason,
      [ATTEMPT_HEADER]: attempt,
      [LAST_ERROR_HEADER]: describeError(error),
    };
    try {
      await moveTo(DEAD_EXCHANGE, delivery, headers);
    } catch (publishError) {
      logger.warn({ err: publishError, ...idOf(delivery) }, 'dead-lettering by the broker instead');
      delivery.reject(false);
    }
  };

  return {
    bury,
    async retryOrBury(delivery, attempt, error) {
      if (delivery.signal.aborted) return;
      const delayMs = broker.retryDelaysMs[Math.min(attempt, broker.retryDelaysMs.length) - 1];
      if (attempt >= maxAttempts || delayMs === undefined) {
        await bury(delivery, attempt, 'attempts-exhausted', error);
        return;
      }
      logger.warn({ err: error, queue: queueName, attempt, delayMs, ...idOf(delivery) }, 'message failed, will retry');
      const headers = { [ATTEMPT_HEADER]: attempt + 1, [LAST_ERROR_HEADER]: describeError(error) };
      try {
        await moveTo(retryExchangeOf(delayMs), delivery, headers);
      } catch (publishError) {
        logger.warn({ err: publishError, ...idOf(delivery) }, 'could not schedule the retry, putting it back');
        delivery.reject(true);
      }
    },
    close: () => publisher.close(),
  };
}

function idOf({ message }: Delivery): { messageId: string } {
  return { messageId: String(message.properties.messageId) };
}
