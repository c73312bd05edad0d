import type { RuleRevision } from '@clew/contracts';
import { BUILT_IN_RULES } from '@clew/rules';
import type { HeadOf } from '../findings/clusters/cluster.ts';
import { homeFindingIdOf } from '../findings/clusters/home-finding.ts';
import { withOccurrence, withoutOccurrence, withRenewedOccurrence, type ChangedFinding } from '../findings/finding.ts';
import {
  describesBefore,
  occurrenceOf,
  type EvaluatedSnapshot,
  type Evaluation,
  type Occurrence,
} from '../findings/occurrence.ts';
import type { AnalysisResult, RunResult } from './analysis-result.ts';
import { laterDiagnosis } from './diagnosis.ts';
import { conversationKey, type AnalysedConversation, type ResultState } from './result-state.ts';
import { EMPTY_VIEW, takeSnapshot, type ViewChange } from './rule-view.ts';
import { findingCountOf } from './with-clusters.ts';

const READ_NO_WORDS = new Set(
  BUILT_IN_RULES.flatMap(({ ruleId, readsWords }) => (readsWords === false ? [ruleId] : [])),
);

/** State after the results; unchanged parts are the same objects as before. */
export function applyResults(before: ResultState, results: readonly AnalysisResult[], nowMs: number): ResultState {
  const conversations = new Map(before.conversations);
  const findings = new Map(before.findings);
  const headOf: HeadOf = (findingId) => findings.get(findingId)?.head;
  for (const result of results) {
    const key = conversationKey(result.projectId, result.conversationId);
    const conversation = conversations.get(key) ?? unseenConversation(result.projectId, result.conversationId);
    const changes = result.runs.flatMap((run) => {
      const change = viewChangeOf(conversation, result, { run, headOf, nowMs });
      return change === undefined ? [] : [[run.rule.ruleId, change] as const];
    });
    const diagnosis = laterDiagnosis(conversation.diagnosis, result.diagnosis);
    if (changes.length === 0 && diagnosis === conversation.diagnosis) continue;
    for (const [, change] of changes) applyToFindings(findings, change, nowMs);
    conversations.set(key, { ...withChanges(conversation, changes, headOf), diagnosis });
  }
  return { conversations, findings };
}

function withChanges(
  conversation: AnalysedConversation,
  changes: readonly (readonly [string, ViewChange])[],
  headOf: HeadOf,
): AnalysedConversation {
  const rules = new Map(conversation.rules);
  for (const [ruleId, { view }] of changes) rules.set(ruleId, view);
  const findingCount = changes.length === 0 ? conversation.findingCount : findingCountOf(rules, headOf);
  return { ...conversation, version: conversation.version + 1, findingCount, rules };
}

function unseenConversation(projectId: string, conversationId: string): AnalysedConversation {
  return { projectId, conversationId, version: 0, findingCount: 0, rules: new Map() };
}

function viewChangeOf(
  conversation: AnalysedConversation,
  { snapshot }: AnalysisResult,
  { run: { rule, outcome }, headOf, nowMs }: { run: RunResult; headOf: HeadOf; nowMs: number },
): ViewChange | undefined {
  if (outcome.status !== 'succeeded' || snapshot === undefined) return undefined;
  const { ruleId } = rule;
  const evaluation = evaluationOf(snapshot, rule);
  const detected = outcome.detections.map((detection) => {
    const { projectId, conversationId } = conversation;
    const findingId = homeFindingIdOf(conversation, detection, headOf);
    return occurrenceOf({ projectId, conversationId, findingId }, ruleId, evaluation, detection, nowMs);
  });
  return takeSnapshot(conversation.rules.get(ruleId) ?? EMPTY_VIEW, evaluation, eachOnce(detected));
}

/**
 * Evaluation of a Rule on a snapshot. Usually the snapshot itself, because most Rules have no revision and most
 * snapshots have all their words.
 */
function evaluationOf(snapshot: EvaluatedSnapshot, { ruleId, revision }: RuleRevision): Evaluation {
  const readsAll = snapshot.expiredThrough === undefined || !READ_NO_WORDS.has(ruleId);
  if (readsAll && revision === undefined) return snapshot;
  return {
    ...snapshot,
    ...(readsAll ? {} : { expiredThrough: undefined }),
    ...(revision === undefined ? {} : { ruleRevision: Number(revision) }),
  };
}

/** Keeps the worst occurrence, if a conversation shows one Finding under several fingerprints. */
function eachOnce(detected: readonly Occurrence[]): Occurrence[] {
  const worst = new Map<string, Occurrence>();
  for (const occurrence of detected) {
    const other = worst.get(occurrence.id);
    if (other === undefined || describesBefore(occurrence, other)) worst.set(occurrence.id, occurrence);
  }
  return [...worst.values()];
}

function applyToFindings(findings: Map<string, ChangedFinding>, change: ViewChange, nowMs: number): void {
  for (const occurrence of change.added) {
    findings.set(occurrence.findingId, withOccurrence(findings.get(occurrence.findingId), occurrence));
  }
  for (const occurrence of change.renewed) {
    findings.set(occurrence.findingId, withRenewedOccurrence(known(findings, occurrence.findingId), occurrence));
  }
  for (const occurrence of change.withdrawn) {
    findings.set(occurrence.findingId, withoutOccurrence(known(findings, occurrence.findingId), occurrence, nowMs));
  }
}

function known(findings: ReadonlyMap<string, ChangedFinding>, findingId: string): ChangedFinding {
  const finding = findings.get(findingId);
  if (finding === undefined) throw new Error(`An occurrence names the Finding ${findingId}, which does not exist`);
  return finding;
}
