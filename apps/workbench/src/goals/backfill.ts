import type { Api } from '@clew/sdk';
import { counted, words } from '../text/format.ts';
import { REJECTION_LABELS } from '../knowledge/labels.ts';

type Backfill = Api.KnowledgeBackfill;

export function isUnderWay({ state }: Pick<Backfill, 'state'>): boolean {
  return state === 'scheduled' || state === 'running';
}

/** Share of the conversations found so far that is read; undefined while none is found. */
export function backfillShare(backfill: Backfill): number | undefined {
  const { state, conversationsSeen, conversationsPending, maxConversations } = backfill;
  if (state === 'completed') return 1;
  if (conversationsSeen === 0) return isUnderWay(backfill) ? undefined : 0;
  return (conversationsSeen - conversationsPending) / Math.min(maxConversations, conversationsSeen);
}

/** Sums up in one sentence how far a backfill is. */
export function backfillText(backfill: Backfill, locale?: string): string {
  const { pagesDone, conversationsSeen, conversationsPending, conversationsFailed } = backfill;
  const read = conversationsSeen - conversationsPending - conversationsFailed;
  const parts = [
    `${counted(Math.max(0, read), 'conversation', undefined, locale)} read`,
    ...(conversationsPending === 0 ? [] : [`${conversationsPending} waiting`]),
    ...(conversationsFailed === 0 ? [] : [`${conversationsFailed} given up`]),
    counted(pagesDone, 'page', undefined, locale),
  ];
  return parts.join(', ');
}

export interface RejectionRow {
  readonly reason: string;
  readonly label: string;
  readonly count: number;
}

/** Rejections by reason, the most frequent first; those without a counted reason are the last row. */
export function rejectionRows({ rejected, rejectedQuotes }: Pick<Backfill, 'rejected' | 'rejectedQuotes'>) {
  const rows: RejectionRow[] = Object.entries(rejected)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => ({ reason, label: REJECTION_LABELS[reason] ?? words(reason), count }))
    .sort((a, b) => b.count - a.count || a.reason.localeCompare(b.reason));
  const rest = rejectedQuotes - rows.reduce((sum, { count }) => sum + count, 0);
  return rest > 0 ? [...rows, { reason: 'unknown', label: 'For a reason that was not counted', count: rest }] : rows;
}

const WAITING: Readonly<Record<Api.Waiting['reason'], string>> = {
  places: 'Others have their turn first',
  provider: 'The provider did not answer, and is left alone for a while',
  model: 'The model cannot be used now, or the goal is paused',
  budget: 'The tokens of the day are used up',
};

/** Reason why a planned reading has not begun. */
export function waitingText({ reason, position }: Api.Waiting): string {
  return position === undefined ? WAITING[reason] : `${WAITING[reason]}: place ${position} in the queue`;
}

/** Window of a backfill as fields hold it: local times to the minute. */
export interface WindowFields {
  readonly from: string;
  readonly to: string;
  readonly max: string;
}

const MAX_CONVERSATIONS = 100_000;

/** Body of a request, or what is wrong with which field. */
export function backfillOf(
  fields: WindowFields,
): { body: { startMs: number; endMs: number; maxConversations: number } } | { errors: Partial<WindowFields> } {
  const startMs = new Date(fields.from).getTime();
  const endMs = new Date(fields.to).getTime();
  const maxConversations = Number(fields.max);
  const errors: Partial<WindowFields> = {
    ...(Number.isFinite(startMs) && startMs >= 0 ? {} : { from: 'Name a time' }),
    ...(Number.isFinite(endMs)
      ? endMs > startMs
        ? {}
        : { to: 'The end comes after the beginning' }
      : { to: 'Name a time' }),
    ...(Number.isInteger(maxConversations) && maxConversations >= 1 && maxConversations <= MAX_CONVERSATIONS
      ? {}
      : { max: 'A number from 1 to 100,000' }),
  };
  return Object.keys(errors).length === 0 ? { body: { startMs, endMs, maxConversations } } : { errors };
}

/** Time as a field for date and time holds it, in the time zone of the browser. */
export function fieldTime(atMs: number): string {
  const local = new Date(atMs - new Date(atMs).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
