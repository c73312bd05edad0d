import type { mongo } from 'mongoose';
import { NEWEST_FIRST, type Database } from '@clew/persistence';
import { cosineOf, estimatedCosine, sketchOf } from '@clew/similarity';
import { itemCollection, type ItemDocument, type Sifted } from '../items/index.ts';
import { floatsOf } from '../merging/index.ts';
import type { QueryVector } from './embed-query.ts';
import type { Sieve } from './sieve.ts';

/** Minimum cosine of a match. It is below that of paraphrases, because a query of a few words has a lower cosine. */
const NEAR = 0.45;
/** Maximum matches; the nearest are kept. */
const MAX_NEAR = 50;
/** Maximum items of a project that are looked at, newest first; each takes about ten microseconds. */
export const MAX_LOOKED_AT = 10_000;
/** Tolerance of the estimated cosine: a sketch may make an item look that much farther away. */
const MARGIN = 0.16;
/** Vectors that are read in full: those of the nearest sketches. */
const MAX_COMPARED = 200;

export interface NearVectors extends QueryVector {
  projectId: string;
  sieve: Sieve;
  /** Further items to look at, beside the newest: older ones, of which something else is known. */
  alsoIds?: readonly string[];
  /** Key of the subject: then its items are looked at, instead of the newest of all. */
  subject?: string | undefined;
}

export interface FoundNear {
  /** The nearest first. */
  found: { id: string; cosine: number }[];
  lookedAt: number;
}

type Looked = Pick<ItemDocument, '_id' | 'sketch'> & Sifted;

/** Finds the items whose vectors, of the same model, are near to the given one. */
export function createFindNear(database: Database): (wanted: NearVectors) => Promise<FoundNear> {
  const items = itemCollection(database);

  async function lookedAt({ projectId, model, sieve, alsoIds = [], subject }: NearVectors): Promise<Looked[]> {
    // The covering index holds them all.
    const projection = { ...sieve.fields, sketch: 1 };
    const ofModel = { projectId, 'embedding.model': model };
    const newest = items
      .find(subject === undefined ? ofModel : { ...ofModel, subjects: subject }, {
        ...{ projection, sort: Object.fromEntries(NEWEST_FIRST) },
        ...{ limit: MAX_LOOKED_AT, batchSize: MAX_LOOKED_AT },
      })
      .toArray();
    const known = new Map<string, Looked>((await newest).map((item) => [item._id, item]));
    const others = alsoIds.filter((id) => !known.has(id));
    // All of them are known already as long as the project has no more items than are looked at.
    if (others.length > 0 && known.size >= MAX_LOOKED_AT) {
      const filter: mongo.Filter<ItemDocument> = { ...ofModel, _id: { $in: others } };
      const older = items.find(filter, { projection, hint: { _id: 1 }, limit: others.length });
      for (const item of await older.toArray()) known.set(item._id, item);
    }
    return [...known.values()];
  }

  return async (wanted) => {
    const { projectId, model, vector, sieve } = wanted;
    const sketch = sketchOf(vector);
    const looked = await lookedAt(wanted);
    const alike: FoundNear['found'] = [];
    for (const item of looked) {
      if (item.sketch == null || !sieve.isWanted(item)) continue;
      const cosine = estimatedCosine(sketch, item.sketch.buffer);
      if (cosine >= NEAR - MARGIN) alike.push({ id: item._id, cosine });
    }
    const ids = nearest(alike, MAX_COMPARED).map(({ id }) => id);
    const whole = items.find({ _id: { $in: ids }, projectId }, { projection: { embedding: 1 }, limit: MAX_COMPARED });
    const compared = (await whole.toArray()).flatMap(({ _id: id, embedding }) =>
      embedding?.model === model ? [{ id, cosine: cosineOf(vector, floatsOf(embedding.vector)) }] : [],
    );
    const near = compared.filter(({ cosine }) => cosine >= NEAR);
    return { found: nearest(near, MAX_NEAR), lookedAt: looked.length };
  };
}

function nearest(found: FoundNear['found'], most: number): FoundNear['found'] {
  return found.toSorted((one, other) => other.cosine - one.cosine).slice(0, most);
}
