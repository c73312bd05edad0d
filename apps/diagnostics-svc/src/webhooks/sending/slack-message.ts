import type { SentEventType } from '@clew/contracts';
import { harmless } from './harmless.ts';
import { messageLine } from './message-line.ts';

/** Message of one line that people can read, for Slack and what takes its messages. */
export function slackMessage(type: SentEventType, data: Readonly<Record<string, unknown>>, publicUrl: string) {
  const text = messageLine(type, data, { publicUrl, harmless });
  return { text, mrkdwn: false, link_names: false, unfurl_links: false, unfurl_media: false };
}
