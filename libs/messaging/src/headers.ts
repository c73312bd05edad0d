import type { MessageProperties } from 'amqplib';
import { resumeTrace, type Span } from '@clew/runtime';

/** 1 for a message that no consumer has failed on; each retry adds one. */
export const ATTEMPT_HEADER = 'x-attempt';
/** Why the last attempt failed; never what the message or a secret says. */
export const LAST_ERROR_HEADER = 'x-last-error';
/** Why a consumer gave the message up: `attempts-exhausted` or `malformed`. */
export const DEAD_REASON_HEADER = 'x-dead-reason';
/** Which trace the message belongs to, as W3C writes it; kept when the message is published again. */
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
 * The headers that a message keeps when it is published again. The broker's own are left out: its record of deaths
 * would make it drop the message as caught in a cycle when it comes back from a retry queue.
 */
export function portableHeaders(properties: MessageProperties): Record<string, unknown> {
  const headers: Record<string, unknown> = properties.headers ?? {};
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('x-')));
}

/** The step of handling messages together: of the trace of the first that has one, and linked to the others'. */
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
