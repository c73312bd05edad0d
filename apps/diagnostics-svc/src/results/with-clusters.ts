import { isRoot, rootIdOf, shownHead, type HeadOf } from '../findings/clusters/cluster.ts';
import type { FindingHead, FindingMove } from '../findings/finding.ts';
import type { OccurrenceHead } from '../findings/occurrence.ts';
import { shownAgain } from '../findings/resolution/resolution.ts';
import { withFurtherOccurrence } from '../findings/snooze.ts';
import type { AnalysedConversation, ResultState } from './result-state.ts';

export function headOfState({ findings }: Pick<ResultState, 'findings'>): HeadOf {
  return (findingId) => findings.get(findingId)?.head;
}

/** Number of Findings that a conversation shows; merged ones count as one. */
export function findingCountOf(rules: AnalysedConversation['rules'], headOf: HeadOf): number {
  return rootIdsOf(rules, headOf).size;
}

/** Finding of the state as it is shown. */
export function shownOf(state: ResultState, findingId: string): FindingHead | undefined {
  const own = state.findings.get(findingId)?.head;
  return own === undefined ? undefined : shownHead(own, headOfState(state));
}

/** Changed Findings as they are shown, before and after. */
export function movesOf(before: ResultState, after: ResultState): FindingMove[] {
  return [...after.findings].flatMap(([id, { head }]) => {
    const shown = before.findings.get(id)?.head === head ? undefined : shownOf(after, id);
    return shown === undefined ? [] : [{ before: shownOf(before, id), after: shown }];
  });
}

/**
 * State with the effects on roots: the number of conversations that count for them, each once, and the changes of their
 * resolution and snooze. Findings that stand alone have these effects already.
 */
export function withClusters(before: ResultState, after: ResultState, nowMs: number): ResultState {
  const headOf = headOfState(after);
  const rootIds = changedRoots(before, after, headOf);
  if (rootIds.size === 0) return after;
  const changes = [...after.conversations]
    .filter(([key, conversation]) => before.conversations.get(key) !== conversation)
    .map(([key, conversation]) => changeOf(before.conversations.get(key), conversation, headOf));
  const findings = new Map(after.findings);
  for (const id of rootIds) {
    const finding = after.findings.get(id);
    const former = before.findings.get(id)?.head ?? finding?.head;
    if (finding === undefined || former === undefined) continue;
    findings.set(id, { ...finding, head: withChanges({ former, own: finding.head }, changes, nowMs) });
  }
  return { ...after, findings };
}

/** Roots that have changed themselves, or of which a member has. */
function changedRoots(before: ResultState, after: ResultState, headOf: HeadOf): Set<string> {
  const rootIds = new Set<string>();
  for (const [id, { head }] of after.findings) {
    if (before.findings.get(id)?.head === head) continue;
    if (head.rootId !== undefined || isRoot(head)) rootIds.add(rootIdOf(id, headOf));
  }
  return rootIds;
}

/** Change of one conversation: the roots it newly shows and no longer shows, and the roots with new detections. */
interface ConversationChange {
  came: ReadonlySet<string>;
  went: ReadonlySet<string>;
  detected: readonly { rootId: string; startedAt: number }[];
}

function changeOf(
  before: AnalysedConversation | undefined,
  after: AnalysedConversation,
  headOf: HeadOf,
): ConversationChange {
  const [was, is] = [rootIdsOf(before?.rules ?? new Map(), headOf), rootIdsOf(after.rules, headOf)];
  const known = new Map(occurrencesOf(before?.rules ?? new Map()).map((each) => [each.id, each]));
  const detected = occurrencesOf(after.rules)
    // Only new detections: a verdict of a judge, or a review, leaves the time of detection as it is.
    .filter(({ id, lastDetectedAt }) => known.get(id)?.lastDetectedAt !== lastDetectedAt)
    .map(({ findingId, conversationStartedAt: startedAt }) => ({ rootId: rootIdOf(findingId, headOf), startedAt }));
  return { came: without(is, was), went: without(was, is), detected };
}

function withChanges(
  { former, own }: { former: FindingHead; own: FindingHead },
  changes: readonly ConversationChange[],
  nowMs: number,
): FindingHead {
  const { id } = own;
  const cameCount = changes.filter(({ came }) => came.has(id)).length;
  const wentCount = changes.filter(({ went }) => went.has(id)).length;
  // A conversation counts once, however many of the root's Findings it shows.
  let { snooze } = former;
  for (let index = 0; index < cameCount; index += 1) ({ snooze } = withFurtherOccurrence({ snooze }));
  const detected = changes.flatMap((change) => change.detected).filter(({ rootId }) => rootId === id);
  const next = detected.reduce((head, { startedAt }) => shownAgain(head, startedAt, nowMs), {
    ...own,
    snooze,
    clusterCount: (former.clusterCount ?? 0) + cameCount - wentCount,
    sequence: Math.max(own.sequence, former.sequence + 1),
    updatedAt: nowMs,
  });
  return next.resolutionStatus === own.resolutionStatus ? next : { ...next, revision: next.revision + 1 };
}

function without(some: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> {
  return new Set([...some].filter((id) => !others.has(id)));
}

function occurrencesOf(rules: AnalysedConversation['rules']): OccurrenceHead[] {
  return [...rules.values()].flatMap(({ occurrences }) => [...occurrences.values()]);
}

function rootIdsOf(rules: AnalysedConversation['rules'], headOf: HeadOf): Set<string> {
  return new Set(occurrencesOf(rules).map(({ findingId }) => rootIdOf(findingId, headOf)));
}
