import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { THE_PROJECT } from '@clew/knowledge';
import { decodeSignature, similarityOf } from '@clew/similarity';
import { mergeItem, type Candidate, type NewItem } from './merge.ts';
import { statementOf } from './statement.ts';
import { cosineOf, estimatedCosine, SAME_MEANING, sketchOf, vectorBandsOf, vectorOf } from '@clew/similarity';

const AUTHORITIES = ['user_stated', 'tool_observed', 'assistant_inferred'] as const;

function found(content: string, more: Partial<NewItem> = {}): NewItem {
  const conversationId = more.conversationId ?? 'c';
  const at = { traceId: 't', spanId: 's', messageIndex: 0, quote: content, startChar: 0, endChar: content.length };
  return {
    ...{ id: `kitm_${content}`, projectId: 'p', goalId: 'g', conversationId, title: 'x', content, kind: 'fact' },
    ...{ confidence: 0.5, authority: 'user_stated', saidAt: 1, statement: statementOf(content), relations: [] },
    ...{ subject: { ...THE_PROJECT, userId: null }, validFrom: null, validUntil: null },
    evidence: [{ ...at, conversationId, isCurrent: true }],
    ...more,
  };
}

function candidateOf(item: NewItem, change: Partial<Candidate['item']> = {}): Candidate {
  const made = mergeItem(item, [], 1);
  if (made.kind !== 'created') throw new Error('It was not created');
  const { signature, subjectKey } = item.statement;
  return { item: { ...made.item, ...change }, signature, subjectKey, vector: item.vector };
}

describe('statements', () => {
  it.each([
    ['Refunds take 5 days', 'refunds  take 5 days!', 'same'],
    ['Refunds take 5 days', 'Refunds take 9 days', 'contrary'],
    ['Orders ship on Monday', 'Orders ship on Friday', 'contrary'],
    ['Gifts are refunded', 'Gifts are not refunded', 'contrary'],
    ['Refunds take 5 days', 'Deliveries take 5 days', 'other'],
  ])('%s and %s are %s', (one, other, expected) => {
    const [a, b] = [statementOf(one), statementOf(other)];
    const relation = a.textKey === b.textKey ? 'same' : a.subjectKey !== b.subjectKey ? 'other' : 'contrary';
    expect(relation).toBe(expected);
    expect(a.claims === b.claims).toBe(expected !== 'contrary');
  });
});

describe('merging', () => {
  it('an item twice adds nothing the second time, whatever it says', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (content) => {
        const merge = mergeItem(found(content), [candidateOf(found(content))], 2);
        expect(merge).toMatchObject({ kind: 'merged', after: undefined });
      }),
    );
  });

  it('nearly the same words of other conversations are one item, with the evidence of both and the higher authority', () => {
    const words =
      'the warehouse in the north sends all parcels of a day in the evening of the same day to the customers';
    const known = candidateOf(found(words, { authority: 'assistant_inferred' }));
    const near = found(`${words} there`, { conversationId: 'd' });
    expect(similarityOf(decodeSignature(near.statement.signature), decodeSignature(known.signature))).toBeGreaterThan(
      0.75,
    );
    expect(mergeItem(near, [known], 2)).toMatchObject({
      kind: 'merged',
      after: { content: words, authority: 'user_stated', evidence: [{ conversationId: 'c' }, { conversationId: 'd' }] },
    });
    const other = found(words.replace('north', 'north, 7 of them,'), { conversationId: 'd' });
    expect(mergeItem(other, [known], 2).kind).toBe('created');
  });

  it('the same meaning by vectors of one model is one item; of two models nothing is known', () => {
    const vector = (model: string) => ({ model, values: Float32Array.of(1, 0.1, 0) });
    const known = candidateOf(found('We open at dawn', { vector: vector('m') }));
    const alike = found('The shop begins early', { vector: vector('m') });
    expect(mergeItem(alike, [known], 2).kind).toBe('merged');
    expect(mergeItem({ ...alike, vector: vector('n') }, [known], 2).kind).toBe('created');
  });

  it('another value replaces nothing by words alone: what has less authority, or is older, is possibly outdated', () => {
    const one = fc.record({ authority: fc.constantFrom(...AUTHORITIES), saidAt: fc.nat(5) });
    fc.assert(
      fc.property(one, one, fc.boolean(), (before, after, reviewed) => {
        const review = reviewed ? { reviewedAt: 1, reviewedBy: 'x' } : {};
        const known = candidateOf(found('The limit is 5', before), review);
        const merge = mergeItem(found('The limit is 9', after), [known], 2);
        const rank = AUTHORITIES.indexOf(before.authority) - AUTHORITIES.indexOf(after.authority);
        const prevails = !reviewed && (rank > 0 || (rank === 0 && after.saidAt >= before.saidAt));
        if (merge.kind !== 'created') throw new Error('It is not the same');
        expect(merge.item).toMatchObject({ status: 'active', supersedes: null, supersededBy: null });
        expect(merge.item.possiblyOutdatedBy).toBe(prevails ? null : known.item.id);
        expect(merge.changed?.after).toEqual(
          prevails ? { ...known.item, possiblyOutdatedBy: merge.item.id, revision: 2, updatedAt: 2 } : undefined,
        );
      }),
    );
  });

  it('by relations keeps the same rules, and only of the revision that was compared', () => {
    const one = fc.record({ authority: fc.constantFrom(...AUTHORITIES), saidAt: fc.nat(5) });
    const relations = fc.constantFrom('same' as const, 'refines' as const, 'supersedes' as const, 'unrelated' as const);
    fc.assert(
      fc.property(one, one, relations, fc.boolean(), fc.constantFrom(1, 2), (before, after, relation, reviewed, at) => {
        const review = reviewed ? { reviewedAt: 1, reviewedBy: 'x' } : {};
        const known = candidateOf(found('She lives in Porto', before), review);
        const related = { itemId: known.item.id, revision: at, relation };
        const merge = mergeItem(found('Her home is Lisbon', { ...after, relations: [related] }), [known], 2);
        const rank = AUTHORITIES.indexOf(before.authority) - AUTHORITIES.indexOf(after.authority);
        const prevails = !reviewed && (rank > 0 || (rank === 0 && after.saidAt >= before.saidAt));
        const isCompared = at === known.item.revision && relation !== 'unrelated';
        if (isCompared && relation === 'same') expect(merge.kind).toBe('merged');
        else {
          if (merge.kind !== 'created') throw new Error('It is not the same');
          expect(merge.item.status).toBe(!isCompared || prevails ? 'active' : 'archived');
          const isReplaced = isCompared && prevails;
          expect(merge.changed?.before.id).toBe(isReplaced ? known.item.id : undefined);
          expect(merge.changed?.after.status).toBe(isReplaced ? 'archived' : undefined);
          expect(merge.item.supersededBy ?? merge.item.supersedes).toBe(isCompared ? known.item.id : null);
        }
      }),
    );
  });

  it('what only looks alike stays apart where a model says that it is unrelated', () => {
    const known = candidateOf(found('The refund limit for books is 5'));
    const other = found('The refund limit for books is 9');
    expect(mergeItem(other, [known], 2)).toMatchObject({ changed: { before: { id: known.item.id } } });
    const unrelated = { itemId: known.item.id, revision: 1, relation: 'unrelated' as const };
    expect(mergeItem({ ...other, relations: [unrelated] }, [known], 2)).toMatchObject({
      ...{ kind: 'created', changed: undefined, item: { status: 'active', possiblyOutdatedBy: null } },
    });
  });

  it('what was archived or reviewed stays as it is, and is not made again', () => {
    for (const change of [{ status: 'archived' as const }, { reviewedAt: 1 }]) {
      const known = candidateOf(found('We open at 9'), change);
      const again = found('We open at 9', { conversationId: 'd' });
      expect(mergeItem(again, [known], 2)).toMatchObject({ kind: 'merged', after: undefined });
    }
  });
});

describe('bands of vectors', () => {
  const random = (seed: number) => {
    let state = seed;
    return () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
      return ((state >>> 8) & 0xffff) / 0xffff - 0.5;
    };
  };

  const bandsOf = (vector: Float32Array) => vectorBandsOf('m', sketchOf(vector));

  it('vectors of the same meaning share one in 97 of 100 cases, and others hardly ever', () => {
    const next = random(7);
    let [shared, strange] = [0, 0];
    for (let trial = 0; trial < 100; trial += 1) {
      const vector = Float32Array.from({ length: 384 }, next);
      const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
      const noise = Float32Array.from({ length: 384 }, next);
      const noiseLength = Math.sqrt(noise.reduce((sum, value) => sum + value * value, 0));
      const angle = Math.acos(SAME_MEANING + 0.005);
      const near = vector.map((value, index) => value / length + (Math.tan(angle) * noise[index]!) / noiseLength);
      expect(cosineOf(vector, near)).toBeGreaterThan(0.85);
      const bands = new Set(bandsOf(vector));
      shared += Number(bandsOf(near).some((band) => bands.has(band)));
      strange += Number(bandsOf(noise).some((band) => bands.has(band)));
    }
    expect(shared).toBeGreaterThanOrEqual(95);
    expect(strange).toBeLessThanOrEqual(3);
  });

  it('tell about what the cosine is: within 0.16 of it in 99 of 100 cases', () => {
    const next = random(11);
    let near = 0;
    for (let trial = 0; trial < 200; trial += 1) {
      const [one, noise] = [0, 1].map(() => Float32Array.from({ length: 384 }, next)) as [Float32Array, Float32Array];
      const share = trial / 200;
      const other = one.map((value, index) => (1 - share) * value + share * noise[index]!);
      const estimated = estimatedCosine(sketchOf(one), sketchOf(other));
      near += Number(Math.abs(estimated - cosineOf(one, other)) <= 0.16);
    }
    expect(near).toBeGreaterThanOrEqual(198);
  });

  it('what is no vector is none', () => {
    expect(vectorOf('AAAA')).toBeUndefined();
    expect(vectorOf(Buffer.alloc(8).toString('base64'))).toBeUndefined();
    expect(vectorOf(Buffer.from(Float32Array.of(1, 2).buffer).toString('base64'))).toEqual(Float32Array.of(1, 2));
  });
});
