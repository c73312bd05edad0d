import type { SentEventType, WebhookFormat } from '@clew/contracts';
import { slackMessage } from './slack-message.ts';

/** Event as it is sent. */
export interface SentEvent {
  /** Id of the event: the same for every try, and for every webhook that wants it. */
  eventId: string;
  type: SentEventType;
  occurredAt: number;
  data: Record<string, unknown>;
}

/** Body of a delivery over HTTP. It is the same for every try. */
export function bodyOf(
  format: Exclude<WebhookFormat, 'email'>,
  { type, occurredAt, data }: SentEvent,
  publicUrl: string,
): string {
  if (format === 'slack') return JSON.stringify(slackMessage(type, data, publicUrl));
  if (format === 'json') return JSON.stringify(data);
  return JSON.stringify({ type, timestamp: new Date(occurredAt).toISOString(), data });
}
