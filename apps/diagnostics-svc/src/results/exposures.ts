import { offersSituation } from '@clew/rules';
import { isRoot, type HeadOf } from '../findings/clusters/cluster.ts';
import type { FindingHead } from '../findings/finding.ts';
import { notShown } from '../findings/resolution/resolution.ts';
import type { Exposure } from '../findings/verification/index.ts';
import type { AnalysisResult } from './analysis-result.ts';
import { conversationKey, type AnalysedConversation, type ResultState } from './result-state.ts';
import { headOfState } from './with-clusters.ts';

/** Most exposures that are looked up in one transaction; what is left out would have been counted, and is not. */
export const MAX_EXPOSURES_OF_BATCH = 10_000;

/**
 * Clean exposures that results bring, each Finding and conversation once: the conversation started after the repair, a
 * Rule of the Finding ran on all of it, it offered the situation, and it does not show the Finding.
 */
export function cleanExposures(after: ResultState, results: readonly AnalysisResult[]): Exposure[] {
  const headOf = headOfState(after);
  const awaiting = Map.groupBy(awaitingOf(after), ({ projectId }) => projectId);
  if (awaiting.size === 0) return [];
  const exposures = new Map<string, Exposure>();
  for (const result of results) {
    const { projectId, conversationId, snapshot } = result;
    const conversation = after.conversations.get(conversationKey(projectId, conversationId));
    if (conversation === undefined || snapshot?.scope !== 'conversation') continue;
    const ran = rulesThatRan(conversation, result);
    for (const finding of awaiting.get(projectId) ?? []) {
      const since = finding.verification?.since ?? 0;
      if (snapshot.startedAt <= since) continue;
      if (!isCleanOf(conversation, partsOf(finding, headOf), (part) => mayShow(part, { ran, snapshot, headOf }))) {
        continue;
      }
      const { id: findingId } = finding;
      const exposure = { projectId, findingId, conversationId, startedAt: snapshot.startedAt, since };
      exposures.set(`${findingId} ${conversationId}`, exposure);
      if (exposures.size >= MAX_EXPOSURES_OF_BATCH) return [...exposures.values()];
    }
  }
  return [...exposures.values()];
}

/** Exposures that still count: a verification takes no more of them than it requires. */
export function requiredOnes(after: ResultState, exposures: readonly Exposure[]): Exposure[] {
  const headOf = headOfState(after);
  const byFinding = Map.groupBy(exposures, ({ findingId }) => findingId);
  return [...byFinding].flatMap(([findingId, own]) => {
    const { cleanExposures: counted = 0, requiredExposures = 0 } = headOf(findingId)?.verification ?? {};
    return own.slice(0, Math.max(0, requiredExposures - counted));
  });
}

/** State with the exposures counted. */
export function withExposures(after: ResultState, exposures: readonly Exposure[], nowMs: number): ResultState {
  if (exposures.length === 0) return after;
  const findings = new Map(after.findings);
  for (const [findingId, own] of Map.groupBy(exposures, (each) => each.findingId)) {
    const finding = findings.get(findingId);
    if (finding === undefined) continue;
    const counted = own.reduce((head, { startedAt }) => notShown(head, startedAt, nowMs), finding.head);
    if (counted === finding.head) continue;
    const { sequence, revision, resolutionStatus } = finding.head;
    const isResolved = counted.resolutionStatus !== resolutionStatus;
    const head = {
      ...counted,
      sequence: sequence + 1,
      revision: isResolved ? revision + 1 : revision,
      updatedAt: nowMs,
    };
    findings.set(findingId, { ...finding, head });
  }
  return { ...after, findings };
}

function awaitingOf({ findings }: ResultState): FindingHead[] {
  return [...findings.values()].flatMap(({ head }) => (head.resolutionStatus === 'awaiting_verification' ? head : []));
}

/** Rules that ran on the conversation as it is now. A result of an earlier snapshot says nothing any more. */
function rulesThatRan({ rules }: AnalysedConversation, { runs, snapshot }: AnalysisResult): Set<string> {
  const succeeded = runs.filter(({ outcome }) => outcome.status === 'succeeded').map(({ rule }) => rule.ruleId);
  return new Set(succeeded.filter((ruleId) => rules.get(ruleId)?.revision === snapshot?.revision));
}

/** Finding with those that were merged into it: it is shown where one of them is. */
function partsOf(finding: FindingHead, headOf: HeadOf): FindingHead[] {
  if (!isRoot(finding)) return [finding];
  return [finding, ...(finding.memberIds ?? []).flatMap((id) => headOf(id) ?? [])];
}

function isCleanOf(
  { rules }: AnalysedConversation,
  parts: readonly FindingHead[],
  isExposed: (part: FindingHead) => boolean,
): boolean {
  if (!parts.some(isExposed)) return false;
  const ids = new Set(parts.map(({ id }) => id));
  return ![...rules.values()].some(({ occurrences }) =>
    [...occurrences.values()].some(({ findingId }) => ids.has(findingId)),
  );
}

interface Exposing {
  ran: ReadonlySet<string>;
  snapshot: NonNullable<AnalysisResult['snapshot']>;
  headOf: HeadOf;
}

function mayShow({ id, ruleId, situation, splitFrom }: FindingHead, { ran, snapshot, headOf }: Exposing): boolean {
  if (!ran.has(ruleId) || !offersSituation(situation, snapshot.offered)) return false;
  if (splitFrom === undefined) return true;
  // A part that consists of named conversations can occur in no other one.
  const split = headOf(splitFrom)?.splits?.find(({ findingId }) => findingId === id);
  return split?.signal !== undefined;
}
