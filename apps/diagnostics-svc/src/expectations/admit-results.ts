import type { Clock } from '@clew/kernel';
import type { Transaction } from '@clew/persistence';
import { expectationBroken } from '@clew/rules';
import { findingIdOf } from '../findings/occurrence.ts';
import type { AnalysisResult, RunResult } from '../results/analysis-result.ts';
import { counts, type StoredExpectation } from './expectation.ts';
import { expectationsRevisionOf } from './expected-rule.ts';
import type { ExpectationStore } from './expectations.store.ts';

export interface AdmitResultsDependencies {
  expectations: ExpectationStore;
  clock: Clock;
  /** Drops results of conversations that were erased. */
  withoutErased: (results: readonly AnalysisResult[]) => Promise<AnalysisResult[]>;
}

/**
 * Removes results of erased conversations, and detections for Expectations that are no longer active or have another
 * check by now: a late result never undoes what a person did.
 */
export type AdmitResults = (tx: Transaction, results: readonly AnalysisResult[]) => Promise<readonly AnalysisResult[]>;

export function createAdmitResults({ expectations, clock, withoutErased }: AdmitResultsDependencies): AdmitResults {
  return async (tx, told) => {
    const results = await withoutErased(told);
    const admitted = new Map<AnalysisResult, AnalysisResult>();
    const ofExpectations = results.filter(({ runs }) => runs.some(foundSome));
    for (const [projectId, own] of Map.groupBy(ofExpectations, (result) => result.projectId)) {
      const findingIds = new Set(own.flatMap(({ runs }) => runs.flatMap((run) => findingIdsOf(projectId, run))));
      const nowMs = clock.now();
      const known = await expectations.forResults(tx, projectId, [...findingIds], nowMs);
      for (const result of own) admitted.set(result, withoutFormer(result, known));
      const former = new Set(own.flatMap((result) => inFormerWords(result, known)));
      if (former.size > 0) await expectations.reviewAgain(tx, projectId, [...former], nowMs);
    }
    return results.map((result) => admitted.get(result) ?? result);
  };
}

function withoutFormer(result: AnalysisResult, known: ReadonlyMap<string, StoredExpectation>): AnalysisResult {
  const { projectId } = result;
  const runs = result.runs.map((run): RunResult => {
    if (!foundSome(run) || run.outcome.status !== 'succeeded') return run;
    const revision = expectationsRevisionOf(run.rule);
    const detections = run.outcome.detections.filter(({ clusterFingerprint }) =>
      counts(known.get(findingIdOf(projectId, clusterFingerprint)), revision),
    );
    return { rule: run.rule, outcome: { status: 'succeeded', detections } };
  });
  return { ...result, runs };
}

/** Expectations that still count, but that the result describes with an earlier statement or severity. */
function inFormerWords({ projectId, runs }: AnalysisResult, known: ReadonlyMap<string, StoredExpectation>): string[] {
  return runs.flatMap((run) => {
    const revision = expectationsRevisionOf(run.rule);
    const found = findingIdsOf(projectId, run).flatMap((findingId) => known.get(findingId) ?? []);
    return found.filter((each) => counts(each, revision) && revision < each.revised).map(({ id }) => id);
  });
}

function foundSome({ rule, outcome }: RunResult): boolean {
  return rule.ruleId === expectationBroken.ruleId && outcome.status === 'succeeded' && outcome.detections.length > 0;
}

function findingIdsOf(projectId: string, run: RunResult): string[] {
  if (!foundSome(run) || run.outcome.status !== 'succeeded') return [];
  return run.outcome.detections.map(({ clusterFingerprint }) => findingIdOf(projectId, clusterFingerprint));
}
