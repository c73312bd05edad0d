import type { SentEventType } from '@clew/contracts';
import { findingUrlOf } from '../../findings/finding-view.ts';

const MAX_WORDS = 300;
/** Characters that are not seen, or reorder others. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Character without width, which takes its effect from a sign before it. */
const BREAK = '\u200B';

/**
 * Takes every effect from words of others: Slack reads mentions, links and commands between angle brackets alone;
 * receivers that take its messages also read `@name`, Markdown, and addresses.
 */
export function harmless(words: string): string {
  const line = words.toWellFormed().replace(/\s+/g, ' ').replace(INVISIBLE, '').trim();
  const short = line.length <= MAX_WORDS ? line : `${line.slice(0, MAX_WORDS - 1).toWellFormed()}…`;
  return short
    .replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? '')
    .replace(/[@#!*_~`[\]()|\\]|:(?=\/)|(?<=[\p{L}\p{N}])\.(?=\p{L})/gu, `$&${BREAK}`);
}

/** Address without anything that a reader could take for more than an address. */
const PLAIN_URL = /^https?:\/\/[A-Za-z0-9.-]{1,255}(?::\d{1,5})?(?:\/[\w.~%/-]{0,500})?$/;

/**
 * Message of one line that people can read, with the page of its Finding. Only our own words are outside of `harmless`.
 */
export function slackMessage(type: SentEventType, data: Readonly<Record<string, unknown>>, publicUrl: string) {
  const field = (name: string) => {
    const value = data[name];
    if (name === 'externalUrl' && typeof value === 'string' && PLAIN_URL.test(value)) return value;
    return harmless(typeof value === 'string' || typeof value === 'number' ? String(value) : '');
  };
  const text = [sentenceOf(type, field), ...pageOf(data, publicUrl)].join(' - ');
  return { text, mrkdwn: false, link_names: false, unfurl_links: false, unfurl_media: false };
}

/** Page of the Finding that an event is about. */
function pageOf({ projectId, findingId }: Readonly<Record<string, unknown>>, publicUrl: string): string[] {
  if (typeof projectId !== 'string' || typeof findingId !== 'string') return [];
  const url = findingUrlOf(publicUrl, { projectId, id: findingId });
  return PLAIN_URL.test(url) ? [url] : [];
}

function sentenceOf(type: SentEventType, field: (name: string) => string): string {
  switch (type) {
    case 'finding.created':
      return `New Finding (${field('severity')}): ${findingOf(field)}`;
    case 'finding.resolved':
      return `Finding resolved: ${findingOf(field)}`;
    case 'finding.regressed':
      return `Finding regressed (${field('severity')}): ${findingOf(field)}`;
    case 'finding.changed':
      return `Finding changed (${field('severity')}, ${field('reviewStatus')}, ${field('resolutionStatus')}): ${findingOf(field)}`;
    case 'work_item.created':
      return `Work item made in ${field('provider')} for Finding ${field('findingId')}: ${workItemOf(field)}`;
    case 'work_item.changed':
      return `Work item in ${field('provider')} is ${field('status')}: ${workItemOf(field)}`;
    case 'knowledge_item.created':
      return `New Knowledge item (${field('kind')}): ${field('itemId')}`;
    case 'knowledge_item.changed':
      return `Knowledge item is ${field('status')} in revision ${field('revision')}: ${field('itemId')}`;
    case 'dataset.changed':
      return `Dataset ${field('datasetId')} has version ${field('version')} with ${field('exampleCount')} Examples`;
    case 'dataset.deleted':
      return `Dataset ${field('datasetId')} was deleted`;
    case 'backfill.ended':
      return `Backfill ${field('backfillId')} is ${field('state')}; conversations: ${field('conversationsSeen')}`;
    case 'ping':
      return 'This is a test of a webhook of Clew';
  }
}

function findingOf(field: (name: string) => string): string {
  const title = field('title');
  return title === '' ? field('findingId') : `${title} (${field('findingId')})`;
}

function workItemOf(field: (name: string) => string): string {
  const url = field('externalUrl');
  return url === '' ? field('workItemId') : url;
}
