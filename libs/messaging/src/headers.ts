import type { MessageProperties } from 'amqplib';
import { resumeTrace, type Span } from '@clew/runtime';

/** Attempt number: 1 for a message that no consumer has failed on; each retry adds one. */
export const ATTEMPT_HEADER = 'x-attempt';
/** Reason why the last attempt failed, without the message's content and without secrets. */
export const LAST_ERROR_HEADER = 'x-last-error';
/** Reason why a consumer gave up on the message: `attempts-exhausted` or `malformed`. */
export const DEAD_REASON_HEADER = 'x-dead-reason';
/** Trace context of the message, in W3C notation; kept when the message is published again. */
export const TRACE_HEADER = 'traceparent';
/** Deliveries that ended without an answer, counted by the broker. */
const DELIVERY_COUNT_HEADER = 'x-delivery-count';

export function attemptOf(properties: MessageProperties): number {
  const value: unknown = properties.headers?.[ATTEMPT_HEADER];
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 1;
}

export function deliveryCountOf(properties: MessageProperties): number {
  const value: unknown = properties.headers?.[DELIVERY_COUNT_HEADER];
  return typeof value === 'number' ? value : 0;
}

/**
 * Returns the headers that a message keeps when it is published again. The broker's own are omitted: because of its
 * record of deaths it would drop a message that comes back from a retry queue, as caught in a cycle.
 */
export function portableHeaders(properties: MessageProperties): Record<string, unknown> {
  const headers: Record<string, unknown> = properties.headers ?? {};
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('x-')));
}

/**
 * Creates the span for handling messages together: in the trace of the first one that has one, linked to the others'
 * traces.
 */
export function spanOf(
  deliveries: readonly { message: { properties: MessageProperties } }[],
  queueName: string,
): Span | undefined {
  const traces = deliveries.flatMap(({ message }): unknown => message.properties.headers?.[TRACE_HEADER] ?? []);
  return resumeTrace(traces[0], {
    name: `process ${queueName}`,
    kind: 'consumer',
    attributes: { 'messaging.destination.name': queueName, 'messaging.batch.message_count': deliveries.length },
    linked: traces.slice(1),
  });
}
