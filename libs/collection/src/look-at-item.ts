import type { KnowledgeItem } from '@clew/contracts';
import { speaksToReaders } from '@clew/knowledge';
import { refused, type Look } from './decision.ts';
import { basisOf, itemDerivationKeyOf } from './derivation.ts';

/** Decides, without a model, whether a Knowledge item is to be taught: it must hold now. */
export function lookAtItem(
  item: KnowledgeItem | undefined,
  { datasetId, nowMs }: { datasetId: string; nowMs: number },
): Look {
  if (item === undefined) return refused('item_gone');
  if (!isActive(item, nowMs)) return refused('not_active');
  const { title, content, kind, subject, validFrom, validUntil } = item;
  return {
    status: 'to_synthesize',
    ...{ because: 'knowledge_item', stepIndex: null },
    derivationKey: itemDerivationKeyOf(datasetId, item.id),
    basis: basisOf([title, content, kind, itemQuotes(item), subject.kind, subject.name, validFrom, validUntil]),
  };
}

/** Distinct quotes of an item that its conversations, as they are now, still hold, and that speak to no reader. */
export function itemQuotes({ evidence }: Pick<KnowledgeItem, 'evidence'>): string[] {
  const quotes = new Set(evidence.filter(({ isCurrent }) => isCurrent).map(({ quote }) => quote));
  return [...quotes].filter((quote) => !speaksToReaders(quote)).toSorted();
}

function isActive({ status, supersededBy, validUntil }: KnowledgeItem, nowMs: number): boolean {
  return status === 'active' && supersededBy === null && (validUntil === null || nowMs < validUntil);
}
