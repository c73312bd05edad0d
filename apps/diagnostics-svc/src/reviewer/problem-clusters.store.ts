import type { Database, Transaction } from '@clew/persistence';
import { clusterFingerprint } from '@clew/rules';
import { clusterOf, newCluster, withProblem, type ToCluster } from './problem-clusters.ts';
import { CONVERSATION_REVIEW } from './review-rule.ts';
import { problemClusterCollection, type ProblemClusterDocument } from './reviews.model.ts';
import { stemsOf } from './same-problem.ts';

/** Cluster of a problem: its fingerprint, and the title of its first problem. */
export interface ProblemCluster {
  fingerprint: string;
  title: string;
}

/** Clusters to which problems of one project are assigned, in memory. */
export interface LoadedClusters {
  /** Finds or makes the cluster of a problem; a later one may belong to the cluster of an earlier one. */
  assign(conversationId: string, problem: ToCluster): ProblemCluster;
  /** Writes what has changed in one command. */
  save(): Promise<void>;
}

/** Clusters of equal problems. */
export interface ProblemClusterStore {
  /** Reads the clusters to which some problems of a project may belong: one query for each category, agent and tool. */
  load(tx: Transaction, projectId: string, problems: readonly ToCluster[], nowMs: number): Promise<LoadedClusters>;
  /** Kinds of problems that are the most frequent in a project. */
  knownKinds(tx: Transaction, projectId: string, limit: number): Promise<string[]>;
}

/** Clusters of one category, agent and tool with which a problem is compared, the oldest first. */
const MAX_COMPARED = 500;

export function createProblemClusterStore({ connection }: Pick<Database, 'connection'>): ProblemClusterStore {
  const clusters = problemClusterCollection(connection);

  async function bucketsOf(tx: Transaction, projectId: string, problems: readonly ToCluster[]) {
    const buckets = new Map<string, ProblemClusterDocument[]>();
    for (const bucket of new Set(problems.map(bucketOf))) {
      const oldestFirst = { session: tx, sort: { createdAt: 1 }, limit: MAX_COMPARED } as const;
      buckets.set(bucket, await clusters.find({ projectId, bucket }, oldestFirst).toArray());
    }
    return buckets;
  }

  return {
    async load(tx, projectId, problems, nowMs) {
      const buckets = await bucketsOf(tx, projectId, problems);
      const changed = new Map<string, ProblemClusterDocument>();
      return {
        assign(conversationId, problem) {
          const bucket = bucketOf(problem);
          const known = buckets.get(bucket) ?? [];
          const cluster = clusterOf(problem, known);
          const next: ProblemClusterDocument =
            cluster === undefined
              ? {
                  ...{ _id: fingerprintOf(projectId, problem), projectId, bucket, conversationId },
                  ...{ ...newCluster(problem), createdAt: nowMs },
                }
              : withProblem(cluster, problem);
          buckets.set(bucket, cluster === undefined ? [...known, next] : known.with(known.indexOf(cluster), next));
          changed.set(next._id, next);
          return { fingerprint: next._id, title: next.title };
        },
        async save() {
          const writes = [...changed.values()].map(({ _id, ...fields }) => ({
            replaceOne: { filter: { _id, projectId }, replacement: fields, upsert: true },
          }));
          if (writes.length > 0) await clusters.bulkWrite(writes, { session: tx });
        },
      };
    },
    async knownKinds(tx, projectId, limit) {
      const projection = { kind: 1 };
      const found = clusters.find({ projectId }, { session: tx, sort: { count: -1 }, limit, projection });
      return [...new Set((await found.toArray()).map(({ kind }) => kind))];
    },
  };
}

function namesOf({ category, agent, tool }: ToCluster): string[] {
  return [category, agent ?? '', tool ?? ''];
}

function bucketOf(problem: ToCluster): string {
  return JSON.stringify(namesOf(problem));
}

/** Fingerprint by the words of a first problem: no two clusters of a bucket begin with the same. */
function fingerprintOf(projectId: string, problem: ToCluster): string {
  const { ruleKey, categoryKey } = CONVERSATION_REVIEW;
  const signature = { names: namesOf(problem), text: stemsOf(problem).toSorted().join(' ') };
  return clusterFingerprint({ projectId, ruleKey, categoryKey, signature });
}
