import type { Connection } from 'mongoose';
import { itemCollection } from './items/index.ts';

/** Facets of one kind, from a list of the document. */
const facetsFrom = (kind: string, list: unknown) => ({
  $map: { input: list, as: 'value', in: { $concat: [`${kind}:`, '$$value'] } },
});

/** Gives items that were stored without them their facets. */
export async function addFacets(connection: Connection): Promise<void> {
  const items = itemCollection({ connection });
  const kinds = [
    facetsFrom('goal', ['$goalId']),
    ...[facetsFrom('trace', '$traceIds'), facetsFrom('conversation', '$conversationIds')],
    facetsFrom('subject', '$subjects'),
  ];
  await items.updateMany({ facets: { $exists: false } } as object, [
    { $set: { reviewed: { $gt: ['$reviewedAt', null] }, facets: { $concatArrays: [['*'], ...kinds] } } },
  ]);
}

/** Drops the indexes whose place the list indexes took. */
export async function dropFormerListIndexes(connection: Connection): Promise<void> {
  const items = itemCollection({ connection });
  for (const { name = '', key } of await items.indexes()) {
    const isFormer = !('facets' in key) && isOfFormerList(Object.keys(key), name);
    if (isFormer) await items.dropIndex(name);
  }
}

/** Whether an index was made for the lists before; those of words have names since then. */
function isOfFormerList(fields: readonly string[], name: string): boolean {
  const [, second = '', third = ''] = fields;
  if (second === 'terms') return !name.endsWith('_by_term');
  if (second === 'subjects') return third === 'updatedAt';
  return second === 'standing' || second === 'traceIds' || (second === 'goalId' && third === 'standing');
}
