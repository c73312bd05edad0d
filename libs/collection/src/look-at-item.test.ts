import { describe, expect, it } from '@jest/globals';
import type { KnowledgeItem } from '@clew/contracts';
import { lookAtItem } from './look-at-item.ts';
import { evidenceOf, itemOf } from './test-support/items.ts';

const NOW = 2_000_000_000_000;
const look = (item: KnowledgeItem | undefined, datasetId = 'dst_1') => lookAtItem(item, { datasetId, nowMs: NOW });
const basisOf = (more: Partial<KnowledgeItem>) => {
  const seen = look(itemOf(more));
  if (seen.status !== 'to_synthesize') throw new Error(seen.status);
  return seen;
};

describe('a Knowledge item', () => {
  it('is to be taught while it holds', () => {
    const asked = { status: 'to_synthesize', because: 'knowledge_item', stepIndex: null };
    expect(look(itemOf())).toMatchObject(asked);
    expect(look(itemOf({ validUntil: NOW + 1 }))).toMatchObject(asked);
  });

  it.each<[string, KnowledgeItem | undefined]>([
    ['item_gone', undefined],
    ['not_active', itemOf({ status: 'archived' })],
    ['not_active', itemOf({ supersededBy: 'kitm_2' })],
    ['not_active', itemOf({ validUntil: NOW })],
  ])('is not, for the reason %s', (reason, item) => {
    expect(look(item)).toEqual({ status: 'refused', reason });
  });

  it('has one key in a Dataset, whatever it says', () => {
    const { derivationKey } = basisOf({});
    expect(basisOf({ content: 'Another thing.', revision: 2 }).derivationKey).toBe(derivationKey);
    expect(basisOf({ id: 'kitm_2' }).derivationKey).not.toBe(derivationKey);
    expect(look(itemOf(), 'dst_2')).not.toMatchObject({ derivationKey });
  });

  it.each<[string, Partial<KnowledgeItem>]>([
    ['title', { title: 'Refunds' }],
    ['content', { content: 'Refunds above 600 euros need the approval of Marta Lind.' }],
    ['kind', { kind: 'fact' }],
    ['subject', { subject: { kind: 'organisation', name: 'Brook', userId: null } }],
    ['validity', { validUntil: NOW + 1 }],
    ['quotes', { evidence: [evidenceOf('Marta must approve it')] }],
    ['current quotes', { evidence: itemOf().evidence.map((each) => ({ ...each, isCurrent: false })) }],
  ])('is asked about again when its %s changes', (_name, more) => {
    expect(basisOf(more).basis).not.toBe(basisOf({}).basis);
  });

  it('is not asked about again for a review, a repeated quote or another order of its quotes', () => {
    const [first, second] = [evidenceOf('refunds need approval'), evidenceOf('above 500 euros')];
    const { basis } = basisOf({ evidence: [first, second] });
    expect(basisOf({ evidence: [second, first, second], reviewedAt: 1, revision: 9 }).basis).toBe(basis);
  });
});
