import type { Synthesis } from '@clew/contracts';
import type { StoredExample } from '../examples/index.ts';
import type { DecisionDocument } from './decision.model.ts';
import { collectedIdOf, freshDraft, type WantedExample } from './plan-decision.ts';

/** Meaning of a response that could be written, for its decision. */
export type SynthesisPlan =
  | { kind: 'ask' }
  /** The same was refused under the same policy. */
  | { kind: 'unchanged' }
  /** The Example that was made from the same holds still; none if a person deleted it. */
  | { kind: 'known'; wanted: WantedExample[] };

export interface SynthesisContext {
  /** Examples of the Dataset as they are stored, by id. */
  stored: ReadonlyMap<string, StoredExample>;
  policyRevision: number;
}

/** Marks what a refused response was made from: another policy may have another model, which is asked anew. */
export function refusedBasis(basis: string, policyRevision: number): string {
  return `refused:${policyRevision}:${basis}`;
}

/**
 * Plans whether a model is asked: not for what it has written or refused to write from the same words, and not for what
 * a person has deleted.
 */
export function planSynthesis(
  { datasetId, basis, removedKeys }: Pick<DecisionDocument, 'datasetId' | 'basis' | 'removedKeys'>,
  { basis: wanted, derivationKey }: Synthesis,
  { stored, policyRevision }: SynthesisContext,
): SynthesisPlan {
  if (removedKeys.includes(derivationKey)) return { kind: 'known', wanted: [] };
  if (basis === refusedBasis(wanted, policyRevision)) return { kind: 'unchanged' };
  const example = stored.get(collectedIdOf(datasetId, derivationKey));
  if (basis !== wanted || example === undefined) return { kind: 'ask' };
  return { kind: 'known', wanted: [{ derivationKey, draft: freshDraft(example) }] };
}
