import { AppError, newId, overloaded, type Clock } from '@clew/kernel';
import { EXCHANGE_OF_KIND, routingKeyOf, spansReceived, type EnvelopeOf, type TelemetryGroup } from '@clew/contracts';
import { BrokerUnavailableError, PublishRejectedError, type Publisher } from '@clew/messaging';

export interface SpanOrigin {
  projectId: string;
  requestId: string;
}

/** Resolves once the records are on a durable queue; rejects with OVERLOADED while they cannot be. */
export type PublishSpans = (origin: SpanOrigin, groups: TelemetryGroup[]) => Promise<void>;

const RETRY_AFTER_SECONDS = 2;
const EXCHANGE = EXCHANGE_OF_KIND[spansReceived.kind];
const ROUTING_KEY = routingKeyOf(spansReceived);

export function createSpanPublisher(publisher: Publisher, clock: Clock): PublishSpans {
  return async ({ projectId, requestId }, groups) => {
    const receivedAt = clock.now();
    const envelope: EnvelopeOf<typeof spansReceived> = {
      id: newId('evt'),
      type: spansReceived.type,
      version: spansReceived.version,
      occurredAt: receivedAt,
      projectId,
      requestId,
      data: { receivedAt, groups },
    };
    try {
      // The decoders have made these records to the schema's form; checking each again would cost a tenth of the rate.
      await publisher.publishRaw(EXCHANGE, ROUTING_KEY, Buffer.from(JSON.stringify(envelope)), {
        messageId: envelope.id,
        mandatory: true,
      });
    } catch (error) {
      throw asCallerError(error);
    }
  };
}

function asCallerError(error: unknown): AppError {
  if (error instanceof PublishRejectedError) {
    return overloaded('The queue is full: send again later', RETRY_AFTER_SECONDS);
  }
  if (error instanceof BrokerUnavailableError) {
    return new AppError('OVERLOADED', 'The queue cannot be reached: send again later', {
      cause: error,
      headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    });
  }
  throw error;
}
