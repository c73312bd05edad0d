import { z } from 'zod';
import { EpochMs } from '../common/primitives.ts';
import { KNOWLEDGE_AUTHORITIES, KNOWLEDGE_KINDS } from './knowledge.ts';
import { defineMessage } from './envelope.ts';

/** Maximum number of items in one message. */
export const MAX_CHANGED_ITEMS = 100;

/** Change of one Knowledge item, as it is told. */
export const ChangedItem = z.object({
  itemId: z.string(),
  goalId: z.string(),
  status: z.enum(['active', 'archived', 'erased']),
  kind: z.enum(KNOWLEDGE_KINDS),
  authority: z.enum(KNOWLEDGE_AUTHORITIES),
  createdAt: EpochMs.optional().meta({
    description: 'Of two tellings of an item the one with the later holds: it was made again after its erasure',
  }),
  revision: z
    .int()
    .min(1)
    .meta({ description: 'Of two tellings with the same createdAt the one with the higher holds' }),
});
export type ChangedItem = z.infer<typeof ChangedItem>;

/**
 * Reports Knowledge items that are new, or were changed, archived, replaced, restored or erased. Each revision is
 * reported, also one that only has less evidence.
 */
export const knowledgeItemChanged = defineMessage({
  kind: 'event',
  type: 'knowledge.item.changed',
  version: 1,
  publishedBy: ['knowledge-svc'],
  heardBy: ['gateway'],
  data: z.object({
    items: z.array(ChangedItem).min(1).max(MAX_CHANGED_ITEMS),
  }),
});
