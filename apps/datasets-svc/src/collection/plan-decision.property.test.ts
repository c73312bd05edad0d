import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { STALE_TAG } from '@clew/contracts';
import { contentOf, draftExample, type ExampleDraft, type StoredExample } from '../examples/index.ts';
import { collectedIdOf, planDecision, type DecisionPlan, type WantedExample } from './plan-decision.ts';
import type { OwnedExample } from './decision.model.ts';

const DATASET = 'dst_1';

function draftOf(key: string, text = `answer of ${key}`): ExampleDraft {
  return draftExample({
    payload: { input: { type: 'text', text } },
    source: { kind: 'manual', externalRef: 'x', derivationKey: key },
    tags: ['collected'],
  });
}

/** Dataset with the Examples of one conversation, changed by looks and by people. */
class Kept {
  readonly stored = new Map<string, StoredExample>();
  owned: OwnedExample[] = [];
  removedKeys: string[] = [];
  readonly everInserted: string[] = [];

  look(keys: readonly string[]): DecisionPlan {
    const wanted = keys.map((derivationKey): WantedExample => ({ derivationKey, draft: draftOf(derivationKey) }));
    const plan = planDecision({
      ...{ datasetId: DATASET, owned: this.owned, removedKeys: this.removedKeys, wanted, stored: this.stored },
      refused: keys.length === 0 ? 'open_problem' : null,
    });
    for (const { id, draft } of plan.inserted) {
      expect(this.stored.has(id)).toBe(false);
      this.everInserted.push(id);
      this.#store(id, draft.body);
    }
    for (const { example, draft } of plan.replaced) this.#store(example.id, draft.body);
    for (const { id } of plan.removed) this.stored.delete(id);
    this.owned = plan.owned;
    this.removedKeys = plan.removedKeys;
    return plan;
  }

  edit(): string | undefined {
    const [first] = this.owned;
    if (first === undefined) return undefined;
    this.#store(first.id, draftOf(first.derivationKey, 'a better answer').body);
    return first.id;
  }

  remove(): string | undefined {
    const [first] = this.owned;
    if (first !== undefined) this.stored.delete(first.id);
    return first?.id;
  }

  #store(id: string, body: string): void {
    const key = { projectId: 'prj_1', datasetId: DATASET };
    this.stored.set(id, { id, ...key, body, signature: '', fromVersion: 1, createdAt: 1, updatedAt: 1 });
  }
}

const tagsOf = (example: StoredExample) => contentOf(example).tags;

describe('the Examples of a conversation', () => {
  const look = fc.constantFrom<readonly string[]>([], ['a'], ['b']);

  it('are those of the latest look alone, whatever was looked at before, and however often', () => {
    fc.assert(
      fc.property(fc.array(look, { minLength: 1, maxLength: 8 }), (looks) => {
        const kept = new Kept();
        for (const keys of looks) kept.look(keys);
        const last = looks.at(-1)!;
        expect(kept.look(last)).toMatchObject({ inserted: [], replaced: [], removed: [] });
        const fresh = [...kept.stored.values()].filter((example) => !tagsOf(example).includes(STALE_TAG));
        expect(fresh.map(({ id }) => id)).toEqual(last.map((key) => collectedIdOf(DATASET, key)));
        expect(kept.stored.size).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('never come back once a person has deleted them', () => {
    fc.assert(
      fc.property(fc.array(look, { maxLength: 5 }), fc.array(look, { maxLength: 5 }), (before, after) => {
        const kept = new Kept();
        for (const keys of [...before, ['a']]) kept.look(keys);
        const removed = kept.remove();
        for (const keys of after) kept.look(keys);
        expect(kept.look(['a']).inserted).toEqual([]);
        expect([...kept.stored.values()].filter(({ id }) => id === removed)).toEqual([]);
      }),
    );
  });

  it('are told to be removed by hand', () => {
    const kept = new Kept();
    kept.look(['a']);
    kept.remove();
    expect(kept.look(['a']).outcome).toBe('removed_by_hand');
  });

  it('stay as a person has changed them', () => {
    fc.assert(
      fc.property(fc.array(look, { minLength: 1, maxLength: 5 }), (after) => {
        const kept = new Kept();
        kept.look(['a']);
        const id = kept.edit()!;
        const { body } = kept.stored.get(id)!;
        for (const keys of after) expect(kept.look(keys).outcome).toBe('kept');
        expect([...kept.stored.values()].map((example) => [example.id, example.body])).toEqual([[id, body]]);
      }),
    );
  });

  it('are marked as stale where nothing is found any more, and fresh where it is found again', () => {
    const kept = new Kept();
    kept.look(['a']);
    expect(kept.look([]).outcome).toBe('stale');
    expect([...kept.stored.values()].map(tagsOf)).toEqual([['collected', STALE_TAG]]);
    expect(kept.look(['a']).outcome).toBe('collected');
    expect([...kept.stored.values()].map(tagsOf)).toEqual([['collected']]);
  });
});
