import type { Transaction } from '@clew/persistence';
import { lacksPrimary, withPrimary } from '../findings/finding.ts';
import type { ResultState } from './result-state.ts';
import type { ResultStore } from './results.store.ts';

/**
 * Describes Findings whose primary occurrence was withdrawn by the worst occurrence that is left. Save the occurrences
 * first.
 */
export async function handOverPrimaries(
  results: Pick<ResultStore, 'worstOccurrences'>,
  tx: Transaction,
  state: ResultState,
): Promise<ResultState> {
  const orphans = [...state.findings.values()].filter(lacksPrimary);
  if (orphans.length === 0) return state;
  const findings = new Map(state.findings);
  const heads = orphans.map(({ head }) => head);
  for (const worst of await results.worstOccurrences(tx, heads)) {
    const { findingId } = worst.occurrence;
    const finding = findings.get(findingId);
    if (finding !== undefined) findings.set(findingId, withPrimary(finding, worst));
  }
  return { ...state, findings };
}
