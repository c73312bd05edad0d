import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ON_CONFLICT, type OnConflict } from '@clew/contracts';
import { manualExample } from '../test-support/service.ts';
import { contentOf, draftExample } from './example.ts';
import type { DerivationGroup } from './examples.store.ts';
import { keysToLookUp, planUpserts } from './upsert-plan.ts';

const NOBODY = new Map<string, DerivationGroup>();

function draftOf(derivationKey: string | undefined, text: string) {
  const source = {
    kind: 'manual' as const,
    externalRef: 'x',
    ...(derivationKey === undefined ? {} : { derivationKey }),
  };
  return draftExample(manualExample(text, { source }));
}

const held = (count: number) => new Map([['a', { count, exampleId: 'ex_held' }]]);

describe('without onConflict', () => {
  it('every entry is added, whatever its key: the key groups', () => {
    const drafts = [draftOf('a', '1'), draftOf('a', '2'), draftOf(undefined, '3')];
    const { writes, outcomes } = planUpserts(drafts, held(1), undefined);
    expect(writes.map(({ replaces }) => replaces)).toEqual([undefined, undefined, undefined]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'created']);
    expect(keysToLookUp(drafts, undefined)).toEqual([]);
  });
});

describe('with a key that names one Example of the Dataset', () => {
  it.each([
    ['skip', { outcome: 'skipped', exampleId: 'ex_held' }, 0],
    ['update', { outcome: 'updated', write: 0 }, 1],
    ['fail', { outcome: 'refused', reason: expect.stringContaining('derivationKey') }, 0],
  ] as const)('%s does what it says', (onConflict, outcome, writeCount) => {
    const { writes, outcomes } = planUpserts([draftOf('a', '1')], held(1), onConflict);
    expect(outcomes).toEqual([outcome]);
    expect(writes).toHaveLength(writeCount);
  });
});

describe('with a key that names several', () => {
  it.each(ON_CONFLICT)('%s refuses the entry, since nobody knows which is meant', (onConflict) => {
    const { writes, outcomes } = planUpserts([draftOf('a', '1')], held(2), onConflict);
    expect(writes).toEqual([]);
    expect(outcomes).toEqual([{ outcome: 'refused', reason: 'derivationKey names 2 Examples of the Dataset' }]);
  });
});

describe('a whole batch', () => {
  it('ends as if its entries had come one after the other', () => {
    const entries = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', undefined), fc.nat(9).map(String)), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(entries, fc.constantFrom<OnConflict>(...ON_CONFLICT), fc.boolean(), (given, onConflict, isHeld) => {
        const start = isHeld ? held(1) : NOBODY;
        const { writes, outcomes } = planUpserts(
          given.map(([key, text]) => draftOf(key, text)),
          start,
          onConflict,
        );
        const byKey = new Map<string, string>(isHeld ? [['a', 'held']] : []);
        const unnamed: string[] = [];
        const outcomees = given.map(([key, text]) => {
          if (key === undefined) unnamed.push(text);
          const isThere = key !== undefined && byKey.has(key);
          if (key !== undefined && (!isThere || onConflict === 'update')) byKey.set(key, text);
          return !isThere ? 'created' : { skip: 'skipped', update: 'updated', fail: 'refused' }[onConflict];
        });
        expect(outcomes.map(({ outcome }) => outcome)).toEqual(outcomees);
        const written = writes.map(({ draft }) => contentOf(draft));
        const textOf = (input: unknown) => (input as { text: string }).text;
        const named = written.filter(({ source }) => source.derivationKey !== undefined);
        expect(new Map(named.map(({ source, payload }) => [source.derivationKey, textOf(payload.input)]))).toEqual(
          new Map([...byKey].filter(([, text]) => text !== 'held')),
        );
        expect(written.filter(({ source }) => source.derivationKey === undefined)).toHaveLength(unnamed.length);
        expect(new Set(named.map(({ source }) => source.derivationKey)).size).toBe(named.length);
      }),
    );
  });
});
