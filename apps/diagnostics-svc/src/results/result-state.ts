import type { ChangedFinding } from '../findings/finding.ts';
import type { DiagnosisHead, StoredDiagnosis } from './diagnosis.ts';
import type { RuleView } from './rule-view.ts';

/** Results of all Rules for one conversation so far. */
export interface AnalysedConversation {
  projectId: string;
  conversationId: string;
  /** Grows with every change, which shows the later of two announced counts. */
  version: number;
  /** Number of Findings that the conversation shows; merged ones count as one. */
  findingCount: number;
  rules: ReadonlyMap<string, RuleView>;
  /** A diagnosis that was only read has no suspects. */
  diagnosis?: DiagnosisHead | StoredDiagnosis | undefined;
}

/** Conversations and Findings that a batch of results touches. */
export interface ResultState {
  /** Conversations by `conversationKey`. */
  conversations: ReadonlyMap<string, AnalysedConversation>;
  findings: ReadonlyMap<string, ChangedFinding>;
}

export function conversationKey(projectId: string, conversationId: string): string {
  return `${projectId}:${conversationId}`;
}
