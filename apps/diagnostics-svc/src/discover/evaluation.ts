import type { Diagnosis } from '@clew/contracts';
import type { EvaluatedSnapshot } from '../findings/occurrence.ts';
import type { RunResult } from '../results/analysis-result.ts';
import type { RunnableRule } from '../rules/index.ts';

/** What a thread is to do: the Rules, on a snapshot that comes as the warehouse sent it. */
export interface EvaluationTask {
  snapshotJson: Uint8Array<ArrayBuffer>;
  rules: readonly RunnableRule[];
}

/** What came of it: one run of each Rule, and what the conversation comes to where that could be concluded. */
export interface Evaluation {
  snapshot: EvaluatedSnapshot;
  runs: readonly RunResult[];
  diagnosis?: Diagnosis;
  /** What was wrong with the Rules that failed, and with the conclusion: for the log. */
  problems: readonly string[];
}
