import type { Api } from '@clew/sdk';

type Occurrence = Api.FindingOccurrence;

/** Occurrences of a Finding, and the one that is chosen. */
export interface Occurrences {
  readonly all: readonly Api.FindingOccurrence[];
  readonly error: Error | null;
  readonly isLoading: boolean;
  readonly chosenId: string;
  readonly choose: (conversationId: string) => void;
  readonly readMore: (() => void) | undefined;
}

/** Occurrences with the clearest example first: that of the primary anchor; the others stay in the order of the API. */
export function orderedOccurrences(all: readonly Occurrence[], clearestId: string): Occurrence[] {
  const clearest = all.filter(({ conversationId }) => conversationId === clearestId);
  return [...clearest, ...all.filter(({ conversationId }) => conversationId !== clearestId)];
}

/** Occurrence after or before one; undefined beyond the ends. */
export function occurrenceBeside(
  all: readonly Occurrence[],
  conversationId: string,
  by: 1 | -1,
): Occurrence | undefined {
  const at = all.findIndex((each) => each.conversationId === conversationId);
  return at < 0 ? all[0] : all[at + by];
}

/** Names of occurrences that stand out: the clearest, the latest and the first that are loaded. */
export function occurrenceNames(all: readonly Occurrence[], clearestId: string): ReadonlyMap<string, string> {
  const byStart = [...all].sort((a, b) => a.conversationStartedAt - b.conversationStartedAt);
  const names = new Map<string, string>();
  const [first] = byStart;
  const latest = byStart.at(-1);
  if (all.length > 2 && first !== undefined) names.set(first.conversationId, 'earliest');
  if (all.length > 1 && latest !== undefined) names.set(latest.conversationId, 'latest');
  names.set(clearestId, 'clearest example');
  return names;
}

/** Window of the chart of occurrences: whole days up to now, at most 30, and the first occurrence in it if it can be. */
export function chartWindow(firstMs: number, nowMs: number): { startMs: number; endMs: number; intervalMs: number } {
  const dayMs = 86_400_000;
  const endMs = Math.ceil(nowMs / dayMs) * dayMs;
  const days = Math.min(30, Math.max(14, Math.ceil((endMs - firstMs) / dayMs)));
  return { startMs: endMs - days * dayMs, endMs, intervalMs: dayMs };
}
