import type { Api } from '@clew/sdk';

type Would = Api.CollectionPreview['conversations'][number]['would'];

/** Conversation or Knowledge item that was looked at for a preview. */
export interface PreviewedSubject {
  readonly id: string;
  readonly would: Would;
  readonly because: Api.CollectionPreview['conversations'][number]['because'];
}

export interface PreviewSummary {
  /** Conversations or items; those that would be collected come first. */
  readonly subjects: readonly PreviewedSubject[];
  readonly noun: 'conversation' | 'Knowledge item';
  readonly groups: readonly { readonly would: Would; readonly number: number }[];
}

const ORDER: readonly Would[] = ['collect', 'synthesize', 'skip'];

/** Sums a preview up. */
export function previewSummary({ conversations, items }: Api.CollectionPreview): PreviewSummary {
  const subjects = [
    ...conversations.map(({ conversationId, would, because }) => ({ id: conversationId, would, because })),
    ...items.map(({ itemId, would, because }) => ({ id: itemId, would, because })),
  ].sort((a, b) => ORDER.indexOf(a.would) - ORDER.indexOf(b.would));
  const groups = ORDER.map((would) => ({ would, number: subjects.filter((each) => each.would === would).length }));
  return {
    subjects,
    noun: items.length > 0 ? 'Knowledge item' : 'conversation',
    groups: groups.filter(({ number }) => number > 0),
  };
}
