import type { ChangedFinding } from '../findings/finding.ts';
import type { DiagnosisHead, StoredDiagnosis } from './diagnosis.ts';
import type { RuleView } from './rule-view.ts';

/** What all Rules have shown of one conversation so far. */
export interface AnalysedConversation {
  projectId: string;
  conversationId: string;
  /** Grows with every change, so that of two announced counts the later one can be told. */
  version: number;
  /** How many Findings the conversation shows; of those that were merged, one. */
  findingCount: number;
  rules: ReadonlyMap<string, RuleView>;
  /** What was read has no suspects. */
  diagnosis?: DiagnosisHead | StoredDiagnosis | undefined;
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
