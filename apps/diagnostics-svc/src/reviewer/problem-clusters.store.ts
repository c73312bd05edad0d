import type { Database, Transaction } from '@clew/persistence';
import { clusterFingerprint } from '@clew/rules';
import { clusterOf, newCluster, withProblem, type ToCluster } from './problem-clusters.ts';
import { CONVERSATION_REVIEW } from './review-rule.ts';
import { problemClusterCollection } from './reviews.model.ts';
import { stemsOf } from './same-problem.ts';

/** Cluster of a problem: its fingerprint, and the title of its first problem. */
export interface ProblemCluster {
  fingerprint: string;
  title: string;
}

/** Clusters of equal problems. */
export interface ProblemClusterStore {
  /** Finds or makes the cluster of each problem, in order. */
  assign(
    tx: Transaction,
    of: { projectId: string; conversationId: string },
    problems: readonly ToCluster[],
    nowMs: number,
  ): Promise<ProblemCluster[]>;
  /** Kinds of problems that are the most frequent in a project. */
  knownKinds(tx: Transaction, projectId: string, limit: number): Promise<string[]>;
}

/** Clusters of one category, agent and tool with which a problem is compared, the oldest first. */
const MAX_COMPARED = 500;

export function createProblemClusterStore({ connection }: Pick<Database, 'connection'>): ProblemClusterStore {
  const clusters = problemClusterCollection(connection);

  async function assignOne(
    tx: Transaction,
    { projectId, conversationId }: { projectId: string; conversationId: string },
    problem: ToCluster,
    nowMs: number,
  ): Promise<ProblemCluster> {
    const bucket = bucketOf(problem);
    const known = await clusters
      .find({ projectId, bucket }, { session: tx, sort: { createdAt: 1 }, limit: MAX_COMPARED })
      .toArray();
    const cluster = clusterOf(problem, known);
    if (cluster !== undefined) {
      const { count, stems, vectors } = withProblem(cluster, problem);
      const update = { $set: { count, stems, vectors } };
      await clusters.updateOne({ _id: cluster._id, projectId }, update, { session: tx });
      return { fingerprint: cluster._id, title: cluster.title };
    }
    const _id = fingerprintOf(projectId, problem);
    const made = { projectId, bucket, conversationId, ...newCluster(problem), createdAt: nowMs };
    await clusters.replaceOne({ _id, projectId }, made, { upsert: true, session: tx });
    return { fingerprint: _id, title: made.title };
  }

  return {
    async assign(tx, of, problems, nowMs) {
      const assigned: ProblemCluster[] = [];
      // One after the other: a problem may belong to the cluster of the one before.
      for (const problem of problems) assigned.push(await assignOne(tx, of, problem, nowMs));
      return assigned;
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
