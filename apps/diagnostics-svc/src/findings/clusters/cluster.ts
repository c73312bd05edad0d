import { isListed, MAX_WINDOW_CONVERSATIONS, type FindingHead, type WindowEntry } from '../finding.ts';
import { describesBefore, severityOf } from '../occurrence.ts';
import type { ClusterState } from './cluster-state.ts';

/** What conversations say of a Finding. */
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

/** The Finding that conversations of this one count for. */
export function rootIdOf(findingId: string, headOf: HeadOf): string {
  return headOf(findingId)?.rootId ?? findingId;
}

export function isRoot({ memberIds = [] }: ClusterState): boolean {
  return memberIds.length > 0;
}

/**
 * A Finding as it is shown: a root says what its members and itself say together, which is computed from them alone, so
 * that a merge that is undone leaves nothing behind.
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

/** The worst occurrence of all, with the Finding that describes it, where that is not the root itself. */
function primaryOf(own: FindingHead, showing: readonly FindingHead[]): FindingHead['primary'] {
  const candidates = showing.flatMap(({ id, primary }) => {
    if (primary === null) return [];
    return [id === own.id ? primary : { ...primary, findingId: id }];
  });
  const [first = null, ...others] = candidates;
  return others.reduce((worst, other) => (worst === null || describesBefore(other, worst) ? other : worst), first);
}

/** The latest conversations of all, each once; the primary one among them. */
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
