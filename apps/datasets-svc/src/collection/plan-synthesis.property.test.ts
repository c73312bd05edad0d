import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { STALE_TAG, type Synthesis } from '@clew/contracts';
import { draftExample, type StoredExample } from '../examples/index.ts';
import { collectedIdOf } from './plan-decision.ts';
import { planSynthesis, refusedBasis } from './plan-synthesis.ts';

const DATASET = 'dst_1';
const KEY = 'correct_failed_conversations:1';

const name = fc.constantFrom('a', 'b', 'c');
const wanted = name.map((basis): Synthesis => ({ because: 'grave_finding', stepIndex: 1, derivationKey: KEY, basis }));

function storedExample(tags: string[]): ReadonlyMap<string, StoredExample> {
  const source = { kind: 'manual', externalRef: 'x', derivationKey: KEY } as const;
  const { body } = draftExample({ payload: { input: { type: 'text', text: 'it' } }, source, tags });
  const id = collectedIdOf(DATASET, KEY);
  const key = { projectId: 'prj_1', datasetId: DATASET };
  return new Map([[id, { id, ...key, body, signature: '', fromVersion: 1, createdAt: 1, updatedAt: 1 }]]);
}

describe('whether a model is asked', () => {
  it('depends on what it has answered before: never twice from the same words, and never for what was deleted', () => {
    const state = fc.record({
      wanted,
      basis: fc.option(
        fc.oneof(
          name,
          fc.tuple(name, fc.nat(2)).map(([of, revision]) => refusedBasis(of, revision)),
        ),
      ),
      isStored: fc.boolean(),
      isDeleted: fc.boolean(),
      policyRevision: fc.nat(2),
    });
    fc.assert(
      fc.property(state, ({ wanted: synthesis, basis, isStored, isDeleted, policyRevision }) => {
        const stored = isStored ? storedExample(['collected', STALE_TAG]) : new Map<string, StoredExample>();
        const removedKeys = isDeleted ? [KEY] : [];
        const plan = planSynthesis({ datasetId: DATASET, basis, removedKeys }, synthesis, { stored, policyRevision });
        const isAnswered =
          (basis === synthesis.basis && isStored) || basis === refusedBasis(synthesis.basis, policyRevision);
        expect(plan.kind === 'ask').toBe(!isDeleted && !isAnswered);
        if (plan.kind === 'known' && !isDeleted)
          expect(plan.wanted.map(({ draft }) => draft.tags)).toEqual([['collected']]);
        if (isDeleted) expect(plan).toEqual({ kind: 'known', wanted: [] });
      }),
    );
  });
});
