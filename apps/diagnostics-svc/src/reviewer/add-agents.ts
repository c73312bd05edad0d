import type { Connection } from 'mongoose';
import { namesIn } from './problem-bucket.ts';
import { problemClusterCollection } from './reviews.model.ts';

const CLUSTERS_AT_A_TIME = 1_000;

/** Names the agent of clusters that were made before comparisons needed it; their buckets have it. Safe to repeat. */
export async function addAgents(connection: Connection): Promise<void> {
  const clusters = problemClusterCollection(connection);
  const without = { agent: { $exists: false } };
  for (;;) {
    const found = await clusters.find(without, { projection: { bucket: 1 }, limit: CLUSTERS_AT_A_TIME }).toArray();
    if (found.length === 0) return;
    await clusters.bulkWrite(
      found.map(({ _id, bucket }) => {
        return {
          updateOne: {
            filter: { _id },
            update: { $set: { agent: namesIn(bucket).agent, standing: 'new' as const } },
          },
        };
      }),
    );
  }
}
