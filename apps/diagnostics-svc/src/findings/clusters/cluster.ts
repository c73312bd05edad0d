import { isListed, MAX_WINDOW_CONVERSATIONS, type FindingHead, type WindowEntry } from '../finding.ts';
import { describesBefore, severityOf } from '../occurrence.ts';
import type { ClusterState } from './cluster-state.ts';

/** Fields of a Finding that result from conversations. */
const DETECTED = [
  'severity',
  'diagnosticScore',
  'occurrenceCount',
  'firstDetectedAt',
  'lastDetectedAt',
  'primary',
  'window',
] as const;
export type Detected = Pick<FindingHead, (typeof DETECTED)[number]>;

export type HeadOf = (findingId: string) => FindingHead | undefined;

export function detectedOf(head: FindingHead): Detected {
  return Object.fromEntries(DETECTED.map((field) => [field, head[field]])) as unknown as Detected;
}

/** Finding for which the conversations of this one count. */
export function rootIdOf(findingId: string, headOf: HeadOf): string {
  return headOf(findingId)?.rootId ?? findingId;
}

export function isRoot({ memberIds = [] }: ClusterState): boolean {
  return memberIds.length > 0;
}

/**
 * Finding as it is shown. The values of a root are computed from itself and its members only, so an undone merge leaves
 * no trace.
 */
export function shownHead(own: FindingHead, headOf: HeadOf): FindingHead {
  if (!isRoot(own)) return own;
  const members = (own.memberIds ?? []).flatMap((id) => headOf(id) ?? []);
  const all = [own, ...members];
  const showing = all.filter(({ occurrenceCount }) => occurrenceCount > 0);
  const primary = primaryOf(own, showing);
  const shown: FindingHead = {
    ...own,
    occurrenceCount: own.clusterCount ?? own.occurrenceCount,
    firstDetectedAt: Math.min(...all.map(({ firstDetectedAt }) => firstDetectedAt)),
    lastDetectedAt: Math.max(...all.map(({ lastDetectedAt }) => lastDetectedAt)),
    primary,
    severity: primary === null ? own.severity : severityOf(primary),
    diagnosticScore:
      showing.length === 0 ? own.diagnosticScore : Math.max(...showing.map(({ diagnosticScore }) => diagnosticScore)),
    window: showing.length === 0 ? own.window : joinedWindow(showing, primary?.conversationId),
  };
  return { ...shown, listed: isListed(shown) };
}

/** Worst of all primary occurrences, with the id of its Finding unless that is the root itself. */
function primaryOf(own: FindingHead, showing: readonly FindingHead[]): FindingHead['primary'] {
  const candidates = showing.flatMap(({ id, primary }) => {
    if (primary === null) return [];
    return [id === own.id ? primary : { ...primary, findingId: id }];
  });
  const [first = null, ...others] = candidates;
  return others.reduce((worst, other) => (worst === null || describesBefore(other, worst) ? other : worst), first);
}

/** Latest conversations of all Findings, each once; the primary one is always among them. */
function joinedWindow(heads: readonly FindingHead[], primaryConversationId: string | undefined): WindowEntry[] {
  const byConversation = new Map<string, WindowEntry>();
  for (const entry of heads.flatMap(({ window }) => window)) {
    const known = byConversation.get(entry.conversationId) ?? entry;
    const startMs = Math.min(known.startMs, entry.startMs);
    byConversation.set(entry.conversationId, { ...known, startMs, endMs: Math.max(known.endMs, entry.endMs) });
  }
  const inOrder = [...byConversation.values()].toSorted(
    (one, other) => one.endMs - other.endMs || (one.conversationId < other.conversationId ? -1 : 1),
  );
  const surplus = inOrder.length - MAX_WINDOW_CONVERSATIONS;
  if (surplus <= 0) return inOrder;
  const primary = inOrder.slice(0, surplus).filter(({ conversationId }) => conversationId === primaryConversationId);
  return [...primary, ...inOrder.slice(surplus + primary.length)];
}
