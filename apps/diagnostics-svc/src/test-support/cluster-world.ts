import { isRoot, shownHead } from '../findings/clusters/cluster.ts';
import type { Regrouped } from '../findings/clusters/merge.ts';
import { lacksPrimary, withPrimary, type FindingHead } from '../findings/finding.ts';
import { describesBefore, type Occurrence } from '../findings/occurrence.ts';
import type { ResultState } from '../results/result-state.ts';
import { findingCountOf, headOfState, withClusters } from '../results/with-clusters.ts';

export const NOTHING: ResultState = { conversations: new Map(), findings: new Map() };

export function occurrencesOf({ conversations }: ResultState): Occurrence[] {
  const views = [...conversations.values()].flatMap(({ rules }) => [...rules.values()]);
  return views.flatMap(({ occurrences }) => [...occurrences.values()]) as Occurrence[];
}

export function worstOf(occurrences: readonly Occurrence[]): Occurrence | undefined {
  return occurrences.toSorted((one, other) => (describesBefore(one, other) ? -1 : 1))[0];
}

/** Does the work of the state writer in memory, after results, verdicts or a split were applied. */
export function settled(before: ResultState, applied: ResultState, nowMs: number): ResultState {
  const findings = new Map(applied.findings);
  for (const [id, finding] of applied.findings) {
    const own = occurrencesOf(applied).filter(({ findingId }) => findingId === id);
    const occurrence = worstOf(own);
    if (!lacksPrimary(finding) || occurrence === undefined) continue;
    const highestScore = Math.max(...own.map(({ diagnosticScore }) => diagnosticScore));
    findings.set(id, withPrimary(finding, { occurrence, highestScore }));
  }
  return withClusters(before, { ...applied, findings }, nowMs);
}

/** Does the work of the service and its scheduled tasks in memory, after a merge or its undoing. */
export function regrouped(before: ResultState, { changed, rootIds }: Regrouped): ResultState {
  const findings = new Map(before.findings);
  for (const head of changed) findings.set(head.id, { ...findings.get(head.id), head });
  for (const id of rootIds) {
    const finding = findings.get(id);
    if (finding === undefined || !isRoot(finding.head)) continue;
    const clusterCount = conversationsOf(before, finding.head).size;
    findings.set(id, { ...finding, head: { ...finding.head, clusterCount } });
  }
  const headOf = headOfState({ findings });
  const conversations = [...before.conversations].map(([key, conversation]) => {
    return [key, { ...conversation, findingCount: findingCountOf(conversation.rules, headOf) }] as const;
  });
  return { findings, conversations: new Map(conversations) };
}

/** Conversations that a Finding counts, looked up among all occurrences. */
export function conversationsOf(state: ResultState, { id, memberIds = [] }: FindingHead): Set<string> {
  const ids = [id, ...memberIds];
  const own = occurrencesOf(state).filter(({ findingId }) => ids.includes(findingId));
  return new Set(own.map(({ conversationId }) => conversationId));
}

/** All Findings as they are shown, without the fields that grow with every write. */
export function shownAll(state: ResultState): Map<string, Omit<FindingHead, 'sequence' | 'revision' | 'updatedAt'>> {
  return new Map(
    [...state.findings].map(([id, { head }]) => {
      const { sequence: _, revision: _revision, updatedAt: _updatedAt, ...shown } = shownHead(head, headOfState(state));
      return [id, shown];
    }),
  );
}
