import { MAX_COMPARED_KINDS, type ComparedKind } from '@clew/contracts';
import type { Database, Transaction } from '@clew/persistence';
import { clusterFingerprint } from '@clew/rules';
import { bucketOf, namesIn, namesOf } from './problem-bucket.ts';
import { clusterOf, newCluster, withProblem, type ToCluster } from './problem-clusters.ts';
import { CONVERSATION_REVIEW } from './review-rule.ts';
import { problemClusterCollection, type ComparedCluster, type ProblemClusterDocument } from './reviews.model.ts';
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
  /** Writes what has changed in one command; returns the agents that have a new cluster. */
  save(): Promise<(string | null)[]>;
}

/** Clusters of equal problems. */
export interface ProblemClusterStore {
  /** Reads the clusters to which some problems of a project may belong: one query for each category, agent and tool. */
  load(tx: Transaction, projectId: string, problems: readonly ToCluster[], nowMs: number): Promise<LoadedClusters>;
  /** Kinds of problems that are the most frequent in a project. */
  knownKinds(tx: Transaction, projectId: string, limit: number): Promise<string[]>;
  /**
   * Kinds of problems of an agent for one comparison: the oldest that are new, and the most frequent of those that were
   * compared before. Empty if none is new.
   */
  toCompare(
    tx: Transaction,
    of: Pick<ProblemClusterDocument, 'projectId' | 'agent'>,
    limit: number,
  ): Promise<ComparedKind[]>;
  /** Reads the standing of clusters by id, without those that have joined another one. */
  alone(tx: Transaction, projectId: string, ids: readonly string[]): Promise<ComparedCluster[]>;
  markCompared(tx: Transaction, projectId: string, ids: readonly string[]): Promise<void>;
  /** Marks clusters that have joined others. */
  markJoined(tx: Transaction, projectId: string, joins: readonly { id: string; into: string }[]): Promise<void>;
}

/** Clusters of one category, agent and tool with which a problem is compared, the oldest first. */
const MAX_COMPARED = 500;
/** Share of a comparison that new kinds may take. */
const SHARE_OF_NEW = 0.5;
/** Filter for clusters that have not joined another one. */
const ALONE = { standing: { $ne: 'joined' } } as const;

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
      const agents = new Set<string | null>();
      return {
        assign(conversationId, problem) {
          const bucket = bucketOf(problem);
          const known = buckets.get(bucket) ?? [];
          const cluster = clusterOf(problem, known);
          const { agent } = problem;
          const next: ProblemClusterDocument =
            cluster === undefined
              ? {
                  ...{ _id: fingerprintOf(projectId, problem), projectId, bucket, agent, conversationId },
                  ...{ ...newCluster(problem), createdAt: nowMs, standing: 'new' },
                }
              : withProblem(cluster, problem);
          if (cluster === undefined) agents.add(agent);
          buckets.set(bucket, cluster === undefined ? [...known, next] : known.with(known.indexOf(cluster), next));
          changed.set(next._id, next);
          return { fingerprint: next._id, title: next.title };
        },
        async save() {
          const writes = [...changed.values()].map(({ _id, ...fields }) => ({
            replaceOne: { filter: { _id, projectId }, replacement: fields, upsert: true },
          }));
          if (writes.length > 0) await clusters.bulkWrite(writes, { session: tx });
          return [...agents];
        },
      };
    },
    async knownKinds(tx, projectId, limit) {
      const projection = { kind: 1 };
      const found = clusters.find({ projectId, ...ALONE }, { session: tx, sort: { count: -1 }, limit, projection });
      return [...new Set((await found.toArray()).map(({ kind }) => kind))];
    },
    async toCompare(tx, { projectId, agent }, limit) {
      const most = Math.min(limit, MAX_COMPARED_KINDS);
      const options = { session: tx, projection: { bucket: 1, kind: 1, title: 1, standing: 1 }, limit: most };
      const fresh = await clusters
        .find({ projectId, agent, standing: 'new' }, { ...options, sort: { createdAt: 1 } })
        .toArray();
      if (fresh.length === 0) return [];
      const compared = await clusters
        .find({ projectId, agent, standing: 'compared' }, { ...options, sort: { count: -1 } })
        .toArray();
      const room = Math.max(Math.ceil(most * SHARE_OF_NEW), most - compared.length);
      const some = fresh.slice(0, room);
      return [...some, ...compared.slice(0, most - some.length)].map(kindOf);
    },
    alone: (tx, projectId, ids) =>
      clusters
        .find({ _id: { $in: [...ids] }, projectId, ...ALONE }, { session: tx })
        .project<ComparedCluster>({ standing: 1, createdAt: 1 })
        .toArray(),
    async markCompared(tx, projectId, ids) {
      if (ids.length === 0) return;
      const filter = { _id: { $in: [...ids] }, projectId, standing: 'new' as const };
      await clusters.updateMany(filter, { $set: { standing: 'compared' } }, { session: tx });
    },
    async markJoined(tx, projectId, joins) {
      const writes = joins.map(({ id: _id, into }) => ({
        updateOne: { filter: { _id, projectId }, update: { $set: { standing: 'joined' as const, sameAs: into } } },
      }));
      if (writes.length > 0) await clusters.bulkWrite(writes, { session: tx });
    },
  };
}

/** Kind of a cluster, whose bucket names category and tool. */
function kindOf({
  _id: id,
  bucket,
  kind,
  title,
  standing,
}: Pick<ProblemClusterDocument, '_id' | 'bucket' | 'kind' | 'title' | 'standing'>): ComparedKind {
  const { category, tool } = namesIn(bucket);
  return { id, category, tool, kind, title, isNew: standing === 'new' };
}

/** Fingerprint by the words of a first problem: no two clusters of a bucket begin with the same. */
function fingerprintOf(projectId: string, problem: ToCluster): string {
  const { ruleKey, categoryKey } = CONVERSATION_REVIEW;
  const signature = { names: namesOf(problem), text: stemsOf(problem).toSorted().join(' ') };
  return clusterFingerprint({ projectId, ruleKey, categoryKey, signature });
}
