import type { ItemStatus } from '@clew/contracts';
import { NEWEST_FIRST, type Database } from '@clew/persistence';
import { itemCollection } from '../items/index.ts';
import { cosineOf, estimatedCosine, floatsOf, sketchOf } from '../merging/index.ts';

/** From this cosine on an item is about what a search asks for: a few words come to less than a paraphrase does. */
const NEAR = 0.45;
/** So many are found at most, the nearest. */
const MAX_NEAR = 50;
/** So many items of a project are looked at, the newest: it takes about ten microseconds for each. */
export const MAX_LOOKED_AT = 10_000;
/** What a sketch may have an item look farther than it is. */
const MARGIN = 0.16;
/** So many vectors are read whole, those of the nearest sketches. */
const MAX_COMPARED = 200;

export interface NearVectors {
  projectId: string;
  model: string;
  vector: Float32Array;
  goalId: string | undefined;
  status: ItemStatus | undefined;
}

/** The ids of the items whose vectors, of the same model, are near to one: the nearest first. */
export function createFindNear(database: Database): (wanted: NearVectors) => Promise<string[]> {
  const items = itemCollection(database);

  async function bySketch({ projectId, model, vector, goalId, status }: NearVectors): Promise<string[]> {
    const sketch = sketchOf(vector);
    const newest = items.find(
      { projectId, 'embedding.model': model },
      {
        projection: { goalId: 1, status: 1, sketch: 1 },
        ...{ sort: Object.fromEntries(NEWEST_FIRST), limit: MAX_LOOKED_AT, batchSize: MAX_LOOKED_AT },
      },
    );
    const found: { id: string; cosine: number }[] = [];
    for (const item of await newest.toArray()) {
      if (goalId !== undefined && item.goalId !== goalId) continue;
      if ((status !== undefined && item.status !== status) || item.sketch == null) continue;
      const cosine = estimatedCosine(sketch, item.sketch.buffer);
      if (cosine >= NEAR - MARGIN) found.push({ id: item._id, cosine });
    }
    return nearest(found, MAX_COMPARED);
  }

  return async (wanted) => {
    const { projectId, model, vector } = wanted;
    const ids = await bySketch(wanted);
    const whole = items.find({ _id: { $in: ids }, projectId }, { projection: { embedding: 1 }, limit: MAX_COMPARED });
    const compared = (await whole.toArray()).flatMap(({ _id: id, embedding }) =>
      embedding?.model === model ? [{ id, cosine: cosineOf(vector, floatsOf(embedding.vector)) }] : [],
    );
    const near = compared.filter(({ cosine }) => cosine >= NEAR);
    return nearest(near, MAX_NEAR);
  };
}

function nearest(found: readonly { id: string; cosine: number }[], most: number): string[] {
  return found
    .toSorted((one, other) => other.cosine - one.cosine)
    .slice(0, most)
    .map(({ id }) => id);
}
