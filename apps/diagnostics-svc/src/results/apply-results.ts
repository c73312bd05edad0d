import type { EnvelopeOf, analysisCompleted } from '@clew/contracts';
import { withOccurrence, withoutOccurrence, withRenewedOccurrence, type ChangedFinding } from '../findings/finding.ts';
import { occurrenceOf } from '../findings/occurrence.ts';
import { EMPTY_VIEW, takeSnapshot, type RuleView, type ViewChange } from './rule-view.ts';

export type AnalysisResult = EnvelopeOf<typeof analysisCompleted>;
type RunResult = AnalysisResult['data']['runs'][number];

/** What all Rules have shown of one conversation so far. */
export interface AnalysedConversation {
  projectId: string;
  conversationId: string;
  /** Grows with every change, so that of two announced counts the later one can be told. */
  version: number;
  /** How many Findings the conversation shows. */
  findingCount: number;
  rules: ReadonlyMap<string, RuleView>;
}

/** What a batch of results touches. */
export interface ResultState {
  /** By `conversationKey`. */
  conversations: ReadonlyMap<string, AnalysedConversation>;
  findings: ReadonlyMap<string, ChangedFinding>;
}

export function conversationKey(projectId: string, conversationId: string): string {
  return `${projectId}:${conversationId}`;
}

/** The state after the results; what they leave as it was is the same object as before. */
export function applyResults(before: ResultState, results: readonly AnalysisResult[], nowMs: number): ResultState {
  const conversations = new Map(before.conversations);
  const findings = new Map(before.findings);
  for (const result of results) {
    const { projectId, data } = result;
    const { conversationId } = data;
    const key = conversationKey(projectId, conversationId);
    for (const run of data.runs) {
      const conversation = conversations.get(key) ?? unseenConversation(projectId, conversationId);
      const change = viewChangeOf(conversation, result, run, nowMs);
      if (change === undefined) continue;
      conversations.set(key, {
        ...conversation,
        version: conversation.version + 1,
        findingCount: conversation.findingCount + change.added.length - change.withdrawn.length,
        rules: new Map(conversation.rules).set(run.ruleId, change.view),
      });
      applyToFindings(findings, change, nowMs);
    }
  }
  return { conversations, findings };
}

function unseenConversation(projectId: string, conversationId: string): AnalysedConversation {
  return { projectId, conversationId, version: 0, findingCount: 0, rules: new Map() };
}

function viewChangeOf(
  conversation: AnalysedConversation,
  { data: { snapshot } }: AnalysisResult,
  { ruleId, outcome }: RunResult,
  nowMs: number,
): ViewChange | undefined {
  if (outcome.status !== 'succeeded') return undefined;
  const detected = outcome.detections.map((detection) =>
    occurrenceOf(conversation, ruleId, snapshot, detection, nowMs),
  );
  return takeSnapshot(conversation.rules.get(ruleId) ?? EMPTY_VIEW, snapshot, detected);
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
