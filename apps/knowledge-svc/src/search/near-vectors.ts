import type { ItemStatus } from '@clew/contracts';
import { NEWEST_FIRST, type Database } from '@clew/persistence';
import { itemCollection } from '../items/index.ts';
import { cosineOf, estimatedCosine, floatsOf, sketchOf } from '../merging/index.ts';

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

export interface NearVectors {
  projectId: string;
  model: string;
  vector: Float32Array;
  goalId: string | undefined;
  status: ItemStatus | undefined;
}

/** Finds the ids of items whose vectors, of the same model, are near to the given one; the nearest come first. */
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
