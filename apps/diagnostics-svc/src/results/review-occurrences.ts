import type { Detection } from '@clew/contracts';
import type { Outbox, Transaction } from '@clew/persistence';
import type { HeadOf } from '../findings/clusters/cluster.ts';
import { withoutOccurrence, withRenewedOccurrence, type ChangedFinding } from '../findings/finding.ts';
import { saying, type OccurrenceHead } from '../findings/occurrence.ts';
import type { AnalysedConversation, ResultState } from './result-state.ts';
import type { ResultStore } from './results.store.ts';
import type { RuleView } from './rule-view.ts';
import { findingCountOf, headOfState } from './with-clusters.ts';
import { createStateWriter } from './state-writer.ts';

/** Result of the review of an occurrence. */
export interface Verdict {
  /** New detection; undefined if the problem no longer holds. */
  detection: Detection | undefined;
  /** Snapshot that was reviewed; an occurrence that comes from another one by now stays as it is. */
  snapshotId?: string;
}

/** Verdicts by occurrence id. */
export type Verdicts = ReadonlyMap<string, Verdict>;

export interface OccurrenceReview {
  projectId: string;
  conversationIds: readonly string[];
  verdicts: Verdicts;
  nowMs: number;
}

export interface ReviewDependencies {
  results: ResultStore;
  outbox: Outbox;
}

/**
 * Applies verdicts in the same way as results. Each conversation is written, so that a concurrent result of it
 * conflicts.
 */
export function createReviewOccurrences({ results, outbox }: ReviewDependencies) {
  return async (tx: Transaction, { projectId, conversationIds, verdicts, nowMs }: OccurrenceReview): Promise<void> => {
    const targets = conversationIds.map((conversationId) => ({ projectId, conversationId, runs: [] }));
    const before = await results.load(tx, targets);
    const reviewed = withVerdicts(before, verdicts, nowMs);
    const change = { before, applied: reviewed, requestIds: new Map<string, string | null>(), nowMs };
    const { messages } = await createStateWriter(results).write(tx, change);
    await outbox.appendMany(tx, messages);
  };
}

/** State after the verdicts; unchanged parts are the same objects as before. */
export function withVerdicts(before: ResultState, verdicts: Verdicts, nowMs: number): ResultState {
  const findings = new Map(before.findings);
  const conversations = new Map(before.conversations);
  for (const [key, conversation] of before.conversations) {
    const shown = [...conversation.rules.values()].flatMap(({ occurrences }) => [...occurrences.values()]);
    const judged = shown.filter((occurrence) => isMeant(occurrence, verdicts.get(occurrence.id)));
    if (judged.length === 0) continue;
    conversations.set(key, reviewedConversation(conversation, judged, verdicts, headOfState(before)));
    for (const occurrence of judged) {
      const finding = findings.get(occurrence.findingId);
      if (finding === undefined) throw new Error(`An occurrence names the Finding ${occurrence.findingId}, unknown`);
      findings.set(occurrence.findingId, reviewedFinding(finding, occurrence, verdicts, nowMs));
    }
  }
  return { conversations, findings };
}

function isMeant({ snapshotId }: OccurrenceHead, verdict: Verdict | undefined): boolean {
  return verdict !== undefined && (verdict.snapshotId ?? snapshotId) === snapshotId;
}

function reviewedConversation(
  conversation: AnalysedConversation,
  judged: readonly OccurrenceHead[],
  verdicts: Verdicts,
  headOf: HeadOf,
): AnalysedConversation {
  const rules = new Map(conversation.rules);
  for (const occurrence of judged) {
    const view = rules.get(occurrence.ruleId);
    if (view === undefined) continue;
    const occurrences = new Map(view.occurrences);
    const detection = verdicts.get(occurrence.id)?.detection;
    if (detection === undefined) occurrences.delete(occurrence.id);
    else occurrences.set(occurrence.id, saying(occurrence, detection));
    rules.set(occurrence.ruleId, { ...view, occurrences } satisfies RuleView);
  }
  const findingCount = findingCountOf(rules, headOf);
  return { ...conversation, version: conversation.version + 1, findingCount, rules };
}

function reviewedFinding(
  finding: ChangedFinding,
  occurrence: OccurrenceHead,
  verdicts: Verdicts,
  nowMs: number,
): ChangedFinding {
  const detection = verdicts.get(occurrence.id)?.detection;
  if (detection === undefined) return withoutOccurrence(finding, occurrence, nowMs);
  // The occurrence was not detected again: only its description may change, not its times or the window.
  const { head, description } = withRenewedOccurrence(finding, saying(occurrence, detection));
  return { head: { ...head, window: finding.head.window, updatedAt: nowMs }, description };
}
