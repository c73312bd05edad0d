import { clusterFingerprint } from '@clew/rules';
import type { Database, Transaction } from '@clew/persistence';
import { problemClusterCollection, type ProblemClusterDocument } from './reviews.model.ts';
import { CONVERSATION_REVIEW } from './review-rule.ts';
import { clustered, type ClusterDraft, type ToCluster } from './problem-clusters.ts';

/** Cluster of a problem: its fingerprint, and the title of its first problem. */
export interface ProblemCluster {
  fingerprint: string;
  title: string;
}

/** Clusters of equal problems. */
export interface ProblemClusterStore {
  /** Finds or makes the cluster of each problem, in order. */
  assign(tx: Transaction, projectId: string, problems: readonly ToCluster[], nowMs: number): Promise<ProblemCluster[]>;
}

/** Clusters of one category, agent and tool with which a problem is compared, the oldest first. */
const MAX_COMPARED = 500;

export function createProblemClusterStore({ connection }: Pick<Database, 'connection'>): ProblemClusterStore {
  const clusters = problemClusterCollection(connection);
  return {
    async assign(tx, projectId, problems, nowMs) {
      const assigned: ProblemCluster[] = [];
      for (const problem of problems) {
        const bucket = bucketOf(problem);
        const known = await clusters
          .find({ projectId, bucket }, { session: tx, sort: { createdAt: 1 }, limit: MAX_COMPARED })
          .toArray();
        const { cluster, isNew, isChanged } = clustered(problem, known);
        if (isNew) {
          const made = newCluster(projectId, problem, cluster, nowMs);
          await clusters.replaceOne({ _id: made._id, projectId }, made, { upsert: true, session: tx });
          assigned.push({ fingerprint: made._id, title: made.title });
          continue;
        }
        const { _id, title, examples } = cluster as ProblemClusterDocument;
        if (isChanged) await clusters.updateOne({ _id }, { $set: { examples } }, { session: tx });
        assigned.push({ fingerprint: _id, title });
      }
      return assigned;
    },
  };
}

function namesOf({ category, agent, tool }: ToCluster): string[] {
  return [category, agent ?? '', tool ?? ''];
}

function bucketOf(problem: ToCluster): string {
  return JSON.stringify(namesOf(problem));
}

/** Cluster with the fingerprint of its first problem: two clusters of a bucket never begin with the same words. */
function newCluster(
  projectId: string,
  problem: ToCluster,
  { title, examples }: ClusterDraft,
  nowMs: number,
): ProblemClusterDocument {
  const { ruleKey, categoryKey } = CONVERSATION_REVIEW;
  const signature = { names: namesOf(problem), text: (examples[0]?.stems ?? []).toSorted().join(' ') };
  const _id = clusterFingerprint({ projectId, ruleKey, categoryKey, signature });
  return { _id, projectId, bucket: bucketOf(problem), title, examples: [...examples], createdAt: nowMs };
}
