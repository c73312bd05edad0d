import type { Detection } from '@clew/contracts';
import {
  analysisIdOf,
  newAnalysis,
  withEndedRuns,
  worstOf,
  type Analyses,
  type Found,
  type RunEnd,
} from '../analyses/index.ts';
import { rootIdOf, type HeadOf } from '../findings/clusters/cluster.ts';
import { homeFindingIdOf } from '../findings/clusters/home-finding.ts';
import type { AnalysisResult, RunResult } from './analysis-result.ts';

/** Analyses after the runs of the results have ended. */
export function withEnds(
  known: Analyses,
  taken: readonly AnalysisResult[],
  { headOf, nowMs }: { headOf: HeadOf; nowMs: number },
): Analyses {
  const analyses = new Map(known);
  for (const result of taken) {
    const id = analysisIdOf(result);
    const analysis = analyses.get(id) ?? newAnalysis(result, nowMs);
    const ends = result.runs.map((run) => runEndOf(result, run, headOf));
    analyses.set(id, withEndedRuns(analysis, ends, nowMs));
  }
  return analyses;
}

function runEndOf(result: AnalysisResult, { rule, outcome }: RunResult, headOf: HeadOf): RunEnd {
  if (outcome.status !== 'succeeded') return { rule, state: outcome.status, reason: outcome.reason };
  const found = outcome.detections.map((detection) => {
    return { detection, findingId: rootIdOf(homeFindingIdOf(result, detection, headOf), headOf) };
  });
  return { rule, state: 'succeeded', reason: null, found: foundBy(rule.ruleId, found) };
}

export interface FoundDetection {
  detection: Detection;
  /** Finding for which it counts. */
  findingId: string;
}

/** Findings of a Rule in a snapshot, by the Findings for which they count; `undefined` if there are none. */
export function foundBy(ruleId: string, found: readonly FoundDetection[]): Found | undefined {
  const severity = worstOf(found.map(({ detection }) => detection.severity));
  if (severity === undefined) return undefined;
  return {
    ruleId,
    score: Math.max(...found.map(({ detection }) => detection.diagnosticScore)),
    severity,
    findingIds: [...new Set(found.map(({ findingId }) => findingId))],
  };
}
