import type { Api } from '@clew/sdk';
import { percent } from '../text/format.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export interface Figures {
  readonly conversations: number;
  readonly flaggedShare: number;
  readonly errorShare: number;
  readonly tokens: number;
}

interface Window {
  readonly startMs: number;
  readonly endMs: number;
  readonly intervalMs: number;
}

/** Window of the last days up to the end of this hour, and the one before it. */
export function homeWindows(nowMs: number, days: number): { now: Window; before: Window } {
  const endMs = Math.ceil(nowMs / HOUR_MS) * HOUR_MS;
  const startMs = endMs - days * DAY_MS;
  const before = { startMs: startMs - days * DAY_MS, endMs: startMs, intervalMs: DAY_MS };
  return { now: { startMs, endMs, intervalMs: DAY_MS }, before };
}

/** Sums up the points of a series. */
export function figuresOf(points: readonly Api.ConversationPoint[]): Figures {
  const sum = (valueOf: (point: Api.ConversationPoint) => number) =>
    points.reduce((all, point) => all + valueOf(point), 0);
  const conversations = sum((point) => point.conversations);
  const share = (part: number) => (conversations === 0 ? 0 : part / conversations);
  return {
    conversations,
    flaggedShare: share(sum(({ flagged }) => flagged)),
    errorShare: share(sum(({ errors }) => errors)),
    tokens: sum(({ inputTokens, outputTokens }) => inputTokens + outputTokens),
  };
}

/** Says a share of the days before: `12% in the 7 days before`. Days without conversations have none. */
export function formerShareText(
  former: Figures,
  share: 'flaggedShare' | 'errorShare',
  days: number,
  locale?: string,
): string {
  if (former.conversations === 0) return 'no conversations before';
  return `${percent(former[share], locale)} in the ${days} days before`;
}

/** Compares a number with that of the period before: `18% more than before`. */
export function changeText(now: number, before: number, locale?: string): string {
  if (before === 0) return now === 0 ? 'none before' : 'none in the days before';
  if (now === before) return 'as many as before';
  const share = Math.abs(now - before) / before;
  return `${percent(share, locale)} ${now > before ? 'more' : 'less'} than before`;
}
