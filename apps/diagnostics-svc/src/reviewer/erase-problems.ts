import type { Database, Transaction } from '@clew/persistence';
import {
  findingCollection,
  occurrenceCollection,
  type FindingDocument,
  type OccurrenceDocument,
} from '../findings/finding.model.ts';
import { wordsOf } from '../findings/listing/index.ts';
import { findingIdOf } from '../findings/occurrence.ts';
import { newCluster, withProblem, type ClusterMeaning } from './problem-clusters.ts';
import { CONVERSATION_REVIEW } from './review-rule.ts';
import { problemClusterCollection, type ProblemClusterDocument } from './reviews.model.ts';

/** Number of problems from which the words of a cluster are taken anew. */
const MAX_PROBLEMS = 100;
const MAX_TITLE = 200;

interface Conversation {
  projectId: string;
  conversationId: string;
}
type Told = Pick<OccurrenceDocument, 'detection' | 'conversationId'>;

/**
 * Takes the words of a conversation out of the clusters of problems, before its occurrences go: title, kind and words
 * of a cluster are then those that other conversations gave, and the Findings of these bear that title. A cluster that
 * no other conversation shows goes. Safe to repeat.
 */
export function createEraseProblems(database: Database) {
  const clusters = problemClusterCollection(database.connection);
  const occurrences = occurrenceCollection(database);
  const findings = findingCollection(database);
  const { ruleId } = CONVERSATION_REVIEW;

  async function clustersOf({ projectId, conversationId }: Conversation): Promise<string[]> {
    const [named, shown] = await Promise.all([
      clusters.find({ projectId, conversationId }, { projection: { _id: 1 } }).toArray(),
      occurrences
        .find({ projectId, conversationId, ruleId }, { projection: { 'detection.clusterFingerprint': 1 } })
        .toArray(),
    ]);
    const fingerprints = shown.map(({ detection }) => detection.clusterFingerprint);
    return [...new Set([...named.map(({ _id }) => _id), ...fingerprints])];
  }

  /** Findings that bear the title of a cluster: its own, those of its occurrences, and those they were merged into. */
  async function findingsOf(tx: Transaction, projectId: string, fingerprint: string): Promise<FindingDocument[]> {
    const shown = await occurrences.distinct(
      'findingId',
      { projectId, ruleId, 'detection.clusterFingerprint': fingerprint },
      { session: tx },
    );
    const ids = [...new Set([findingIdOf(projectId, fingerprint), ...shown])];
    const own = await findings.find({ _id: { $in: ids }, projectId }, { session: tx }).toArray();
    const rootIds = own.flatMap(({ rootId }) => rootId ?? []);
    if (rootIds.length === 0) return own;
    return [...own, ...(await findings.find({ _id: { $in: rootIds }, projectId }, { session: tx }).toArray())];
  }

  async function retitle(
    tx: Transaction,
    { projectId, conversationId }: Conversation,
    cluster: ProblemClusterDocument,
    title: string | undefined,
  ): Promise<void> {
    if (title !== undefined) {
      const others = {
        ...{ projectId, ruleId, 'detection.clusterFingerprint': cluster._id },
        conversationId: { $ne: conversationId },
      };
      await occurrences.updateMany(others, { $set: { 'detection.title': title } }, { session: tx });
    }
    for (const { _id, anchor, confidenceSource, ...finding } of await findingsOf(tx, projectId, cluster._id)) {
      if (finding.title !== cluster.title || anchor.conversationId === conversationId) continue;
      const next = title ?? titleOf(confidenceSource);
      if (next === undefined) continue;
      const renamed = { $set: { title: next, titleWords: wordsOf(next) }, $inc: { sequence: 1 } };
      await findings.updateOne({ _id }, renamed, { session: tx });
    }
  }

  return async (of: Conversation): Promise<number> => {
    const { projectId, conversationId } = of;
    let removed = 0;
    for (const fingerprint of await clustersOf(of)) {
      await database.withTransaction(async (tx) => {
        const cluster = await clusters.findOne({ _id: fingerprint, projectId }, { session: tx });
        if (cluster === null) return;
        const filter = { projectId, ruleId, 'detection.clusterFingerprint': fingerprint };
        const told: Told[] = await occurrences
          .find({ ...filter, conversationId: { $ne: conversationId } }, { session: tx, limit: MAX_PROBLEMS })
          .toArray();
        const [first] = told;
        const isItsTitle = cluster.conversationId === conversationId;
        if (first === undefined) {
          if (isItsTitle) await retitle(tx, of, cluster, undefined);
          removed += await removeCluster(clusters, tx, cluster);
          return;
        }
        const meaning = meaningOf(told);
        // A title that another conversation gave stays.
        const named = isItsTitle
          ? { conversationId: first.conversationId }
          : { title: cluster.title, kind: cluster.kind };
        if (isItsTitle) await retitle(tx, of, cluster, meaning.title);
        const set = { ...meaning, ...named, count: Math.max(meaning.count, cluster.count - 1) };
        await clusters.updateOne({ _id: fingerprint, projectId }, { $set: set }, { session: tx });
      });
    }
    return removed;
  };
}

/** Removes a cluster; those that had joined it stand alone again. Returns the number of removed clusters. */
async function removeCluster(
  clusters: ReturnType<typeof problemClusterCollection>,
  tx: Transaction,
  { _id, projectId, agent }: ProblemClusterDocument,
): Promise<number> {
  const alone = { $set: { standing: 'compared' as const }, $unset: { sameAs: 1 as const } };
  await clusters.updateMany({ projectId, agent, standing: 'joined', sameAs: _id }, alone, { session: tx });
  return (await clusters.deleteOne({ _id, projectId }, { session: tx })).deletedCount;
}

/** Meaning of a cluster by the words of the problems in it. Embeddings are not kept with problems: those to come give them. */
function meaningOf(told: readonly Told[]): ClusterMeaning {
  const [first, ...others] = told.map(({ detection: { confidenceSource, summary } }) => {
    const title = titleOf(confidenceSource) ?? summary.slice(0, MAX_TITLE);
    const kind = confidenceSource?.kind === 'review' ? (confidenceSource.problem?.kind ?? '') : '';
    return { title, kind, category: 'other' as const, agent: null, tool: null };
  });
  if (first === undefined) throw new Error('A cluster has at least one problem');
  return others.reduce(withProblem, newCluster(first));
}

/** Title that the reviewer gave for one conversation; undefined if a Rule found the problem. */
function titleOf(source: FindingDocument['confidenceSource'] | undefined): string | undefined {
  if (source?.kind !== 'review') return undefined;
  return source.problem?.title ?? source.because.slice(0, MAX_TITLE);
}
