import { z } from 'zod';
import { Count, commaList, countsBy, MAX_COUNTED } from '../common/counts.ts';
import { ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { KNOWLEDGE, READ_KNOWLEDGE } from './access.ts';
import { ITEM_FILTERS, ITEMS_PATH } from './items.ts';

export const COUNTED_OF_ITEMS = ['status', 'kind', 'reviewed'] as const;
export type CountedOfItems = (typeof COUNTED_OF_ITEMS)[number];

const ItemCountQuery = z.strictObject({
  ...ITEM_FILTERS,
  q: z.string().min(1).max(500).optional().meta({ description: 'Words that are all in the title or the content' }),
  by: commaList(COUNTED_OF_ITEMS).optional().meta({
    description: 'Fields by whose values they are counted too, separated by commas',
  }),
});
export type ItemCountQuery = z.infer<typeof ItemCountQuery>;

export const countItems = defineRoute({
  ...KNOWLEDGE,
  operationId: 'countItems',
  sdk: 'knowledge.items.count',
  method: 'get',
  path: `${ITEMS_PATH}/counts`,
  summary: 'Count Knowledge items, with the filters of the list',
  description: `Exact up to ${MAX_COUNTED.toLocaleString('en')}, and up to some thousand that are looked at where several filters are combined; beyond it says \`atLeast\`.`,
  access: READ_KNOWLEDGE,
  params: ProjectParams,
  query: ItemCountQuery,
  responses: { 200: z.object({ total: Count, counts: countsBy(COUNTED_OF_ITEMS, z.string()) }) },
});
