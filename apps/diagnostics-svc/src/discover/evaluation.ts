import type { Diagnosis } from '@clew/contracts';
import type { EvaluatedSnapshot } from '../findings/occurrence.ts';
import type { RunResult } from '../results/analysis-result.ts';
import type { RunnableRule } from '../rules/index.ts';

/** Task of a thread: the Rules, and the snapshot as the warehouse sent it. */
export interface EvaluationTask {
  snapshotJson: Uint8Array<ArrayBuffer>;
  rules: readonly RunnableRule[];
}

/** Result of a thread: one run of each Rule, and the diagnosis if one could be concluded. */
export interface Evaluation {
  snapshot: EvaluatedSnapshot;
  runs: readonly RunResult[];
  diagnosis?: Diagnosis;
  /** Errors of Rules that failed and of the conclusion, for the log. */
  problems: readonly string[];
}
