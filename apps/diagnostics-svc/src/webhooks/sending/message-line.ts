import type { SentEventType } from '@clew/contracts';
import { findingUrlOf, projectUrlOf } from '../../findings/finding-view.ts';

/** Address without anything that a reader could take for more than an address. */
const PLAIN_URL = /^https?:\/\/[A-Za-z0-9.-]{1,255}(?::\d{1,5})?(?:\/[\w.~%/-]{0,500})?$/;

export interface LineOptions {
  /** Address at which people reach Clew. */
  publicUrl: string;
  /** Takes every effect from words of others, in the form that the reader needs. */
  harmless(words: string): string;
}

/**
 * Line that tells people of an event, with the page that shows more. Only our own words and plain addresses have not
 * been through `harmless`.
 */
export function messageLine(
  type: SentEventType,
  data: Readonly<Record<string, unknown>>,
  { publicUrl, harmless }: LineOptions,
): string {
  const field = (name: string) => {
    const value = data[name];
    if (name === 'externalUrl' && typeof value === 'string' && PLAIN_URL.test(value)) return value;
    return harmless(typeof value === 'string' || typeof value === 'number' ? String(value) : '');
  };
  return [sentenceOf(type, field, data), ...pageOf(type, data, publicUrl)].join(' - ');
}

/** Page of the Finding that an event is about, or of the project whose failure rate it tells. */
function pageOf(
  type: SentEventType,
  { projectId, findingId }: Readonly<Record<string, unknown>>,
  publicUrl: string,
): string[] {
  if (typeof projectId !== 'string') return [];
  const url =
    typeof findingId === 'string'
      ? findingUrlOf(publicUrl, { projectId, id: findingId })
      : type === 'failure_rate.exceeded'
        ? projectUrlOf(publicUrl, projectId)
        : '';
  return PLAIN_URL.test(url) ? [url] : [];
}

type Field = (name: string) => string;

function sentenceOf(type: SentEventType, field: Field, data: Readonly<Record<string, unknown>>): string {
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
    case 'work_item.sync_failed':
      return `Work item in ${field('provider')} could not be synchronized (${field('syncError')}): ${workItemOf(field)}`;
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
    case 'failure_rate.exceeded':
      return (
        `Of the conversations of the last seven days ${percent(data['rate'])} failed (95% interval ` +
        `${percent(data['low'])} to ${percent(data['high'])}, ${field('reviewed')} read), more than ${percent(data['above'])}`
      );
    case 'ping':
      return 'This is a test of a webhook of Clew';
  }
}

function percent(share: unknown): string {
  return typeof share === 'number' ? `${Math.round(share * 1_000) / 10}%` : '?';
}

function findingOf(field: Field): string {
  const title = field('title');
  return title === '' ? field('findingId') : `${title} (${field('findingId')})`;
}

function workItemOf(field: Field): string {
  const url = field('externalUrl');
  return url === '' ? field('workItemId') : url;
}
