import { mongo } from 'mongoose';
import type { ItemRelation } from '@clew/contracts';
import type { Database, Transaction } from '@clew/persistence';
import type { GoalStore } from '../goals/index.ts';
import {
  countChange,
  createItemStore,
  itemCollection,
  itemOf,
  type ItemDocument,
  type Likeness,
  type StoredItem,
} from '../items/index.ts';
import { mergeItem, type Candidate, type NewItem } from './merge.ts';
import { statementOf } from './statement.ts';
import { sketchOf, vectorBandsOf } from '@clew/similarity';

export interface Merged {
  created: number;
  merged: number;
  /** Changed items in their new state. */
  changed: StoredItem[];
}

/** Merges extracted items into those of their goal. */
export interface ItemMerger {
  add(tx: Transaction, found: readonly NewItem[], author: { model: string; nowMs: number }): Promise<Merged>;
}

/** Candidates compared per kind of similarity, however many items a goal has. */
const MAX_COMPARED = 50;

export function createItemMerger(database: Database, goals: GoalStore): ItemMerger {
  const items = itemCollection(database);
  const store = createItemStore(database);

  async function candidatesOf(tx: Transaction, found: NewItem): Promise<Candidate[]> {
    const { projectId, goalId, statement, vector } = found;
    const of = { projectId, goalId };
    const queries: mongo.Filter<ItemDocument>[] = [
      { _id: found.id, projectId },
      { ...of, textKey: statement.textKey },
      { ...of, bands: { $in: statement.bands } },
      { ...of, subjectKey: statement.subjectKey },
    ];
    const relatedIds = found.relations.map(({ itemId }) => itemId);
    if (relatedIds.length > 0) queries.push({ ...of, _id: { $in: relatedIds } });
    if (vector !== undefined)
      queries.push({ ...of, vectorBands: { $in: vectorBandsOf(vector.model, sketchOf(vector.values)) } });
    const known = new Map<string, Candidate>();
    for (const query of queries) {
      const alike = items.find(query, { session: tx, projection: { terms: 0 } }).limit(MAX_COMPARED);
      for (const document of await alike.toArray()) known.set(document._id, candidateOf(document));
    }
    return [...known.values()];
  }

  async function addOne(tx: Transaction, found: NewItem, { model, nowMs }: { model: string; nowMs: number }) {
    const merge = mergeItem(found, await candidatesOf(tx, found), nowMs);
    const joined = merge.kind === 'merged' ? (merge.after ?? merge.before) : merge.item;
    const author = { kind: 'extraction', id: model } as const;
    const key = { projectId: found.projectId, goalId: found.goalId };
    if (merge.kind === 'merged') {
      if (merge.after !== undefined) await store.save(tx, merge.after, author);
      return { isNew: false, joined, changed: merge.after === undefined ? [] : [merge.after] };
    }
    const { item, changed } = merge;
    await store.save(tx, item, author, likenessOf(item.content, found.vector));
    await goals.count(tx, key, countChange(undefined, item.status));
    if (changed === undefined) return { isNew: true, joined, changed: [item] };
    await store.save(tx, changed.after, author);
    await goals.count(tx, key, countChange(changed.before.status, changed.after.status));
    return { isNew: true, joined, changed: [item, changed.after] };
  }

  return {
    async add(tx, found, author) {
      const merged: Merged = { created: 0, merged: 0, changed: [] };
      // One after the other, because an item may equal an earlier one of the same batch.
      const ofPlaces = new Map<number, StoredItem>();
      for (const item of found) {
        const relations = [...item.relations, ...relationsToSiblings(item, ofPlaces)];
        const { isNew, joined, changed } = await addOne(tx, { ...item, relations }, author);
        if (item.place !== undefined) ofPlaces.set(item.place, joined);
        merged.created += Number(isNew);
        merged.merged += Number(!isNew);
        merged.changed.push(...changed);
      }
      return merged;
    },
  };
}

/** Relations to items of the same extraction, as they were stored just now. */
function relationsToSiblings({ siblings = [] }: NewItem, ofPlaces: ReadonlyMap<number, StoredItem>): ItemRelation[] {
  return siblings.flatMap(({ item: place, relation }) => {
    const { id: itemId, revision } = ofPlaces.get(place) ?? {};
    return itemId === undefined || revision === undefined ? [] : [{ itemId, revision, relation }];
  });
}

/** Fields for finding similar items, with those of the embedding if there is one. */
export function likenessOf(content: string, vector?: NewItem['vector']): Likeness {
  const { textKey, signature, bands, subjectKey } = statementOf(content);
  const words = { textKey, signature, bands, subjectKey };
  if (vector === undefined) return words;
  const { model, values } = vector;
  const bytes = new mongo.Binary(Buffer.from(values.buffer, values.byteOffset, values.byteLength));
  const sketch = sketchOf(values);
  const vectorBands = vectorBandsOf(model, sketch);
  return { ...words, embedding: { model, vector: bytes }, vectorBands, sketch: new mongo.Binary(sketch) };
}

/** Same fields for text alone: the former embedding no longer fits the content, so it is cleared. */
export function likenessOfWords(content: string): Likeness {
  return { ...likenessOf(content), embedding: null, vectorBands: [], sketch: null };
}

/** Vector of a stored embedding. */
export function floatsOf(vector: mongo.Binary): Float32Array {
  return new Float32Array(Uint8Array.from(vector.buffer).buffer);
}

function candidateOf(document: ItemDocument): Candidate {
  const { signature = '', subjectKey = '' } = document;
  const embedding = document.embedding ?? undefined;
  const vector = embedding && { model: embedding.model, values: floatsOf(embedding.vector) };
  return { item: itemOf(document), signature, subjectKey, vector };
}
