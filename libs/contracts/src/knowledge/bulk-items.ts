import { z } from 'zod';
import { ErrorBodySchema } from '../common/error-body.ts';
import { EpochMs, ProjectParams } from '../common/primitives.ts';
import { KNOWLEDGE_KINDS } from '../messages/knowledge.ts';
import { defineRoute } from '../route.ts';
import { KNOWLEDGE, WRITE_KNOWLEDGE } from './access.ts';
import { ITEM_STATUSES, ITEMS_PATH, NamedSubject } from './items.ts';

export const MAX_BULK_ITEMS = 100;

/** Change that many items may have in common. */
export const KnowledgeItemsChange = z
  .strictObject({
    status: z.enum(ITEM_STATUSES).optional(),
    kind: z.enum(KNOWLEDGE_KINDS).optional(),
    subject: NamedSubject.optional(),
    validFrom: EpochMs.nullable().optional(),
    validUntil: EpochMs.nullable().optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'must hold at least one field');

export const updateItems = defineRoute({
  ...KNOWLEDGE,
  operationId: 'updateItems',
  sdk: 'knowledge.items.updateMany',
  method: 'post',
  path: `${ITEMS_PATH}/bulk-updates`,
  summary: `Change up to ${MAX_BULK_ITEMS} Knowledge items in one way`,
  description:
    'Each with its own outcome, in the order in which they are named; a refused one does not prevent the others. With `revision`, an item that is at another one is refused. What was reviewed, and says so already, is `unchanged`, so that a repeat changes nothing.',
  access: WRITE_KNOWLEDGE,
  idempotent: true,
  params: ProjectParams,
  body: z.strictObject({
    items: z
      .array(z.strictObject({ itemId: z.string().max(100), revision: z.int().min(1).optional() }))
      .min(1)
      .max(MAX_BULK_ITEMS)
      .refine(
        (items) => new Set(items.map(({ itemId }) => itemId)).size === items.length,
        'must not name an item twice',
      ),
    change: KnowledgeItemsChange,
  }),
  responses: {
    200: z.object({
      results: z.array(
        z.object({
          itemId: z.string(),
          outcome: z.enum(['updated', 'unchanged', 'refused']),
          revision: z.int().min(1).optional().meta({ description: 'Of the item as it is now' }),
          error: ErrorBodySchema.omit({ requestId: true }).optional().meta({ description: 'Why it was refused' }),
        }),
      ),
    }),
  },
});
