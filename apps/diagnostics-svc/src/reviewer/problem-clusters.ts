import type { ProblemCategory } from '@clew/contracts';
import { stemsOf, vectorSimilarity, wordSimilarity, type EncodedVector, type StemCounts } from './same-problem.ts';

/** Problem that needs a cluster. */
export interface ToCluster {
  category: ProblemCategory;
  agent: string | null;
  tool: string | null;
  kind: string;
  title: string;
  embedding?: EncodedVector | undefined;
}

/** Cluster of equal problems, by the words and the vectors of its problems. */
export interface ClusterMeaning {
  /** Title and kind of the first problem. */
  title: string;
  kind: string;
  count: number;
  stems: StemCounts;
  /** Vectors of the first problems. */
  vectors: readonly EncodedVector[];
}

/**
 * Similarities from which a problem belongs to a cluster: so high that different problems are kept apart. The same ones in
 * other words are joined by a comparison.
 */
const SAME_WORDS = 0.5;
const SAME_VECTOR = 0.82;
/** Vectors of a cluster: enough to know the same problem in other words, and few to compare with. */
const MAX_VECTORS = 12;
/** Stems of a cluster, the most frequent ones. */
const MAX_STEMS = 80;

/** Cluster of a first problem. */
export function newCluster({ kind, title, embedding }: ToCluster): ClusterMeaning {
  const stems = Object.fromEntries(stemsOf({ kind, title }).map((stem) => [stem, 1]));
  return { title, kind, count: 1, stems, vectors: embedding === undefined ? [] : [embedding] };
}

/**
 * Finds the cluster of a problem among those of the same category, agent and tool; undefined if it is a new problem. A
 * reviewer that knows the cluster uses its kind, word by word. Otherwise the embeddings decide, if both have one of the
 * same model, else the words.
 */
export function clusterOf<Cluster extends ClusterMeaning>(
  problem: ToCluster,
  known: readonly Cluster[],
): Cluster | undefined {
  const kind = normalised(problem.kind);
  const named = kind === '' ? undefined : known.find((cluster) => normalised(cluster.kind) === kind);
  if (named !== undefined) return named;
  const stems = stemsOf(problem);
  let best: { cluster: Cluster; sameness: number } | undefined;
  for (const cluster of known) {
    const sameness = samenessOf(problem, stems, cluster);
    if (sameness >= 1 && sameness > (best?.sameness ?? 0)) best = { cluster, sameness };
  }
  return best?.cluster;
}

/** Cluster with a further problem. */
export function withProblem<Cluster extends ClusterMeaning>(cluster: Cluster, problem: ToCluster): Cluster {
  const counts = new Map(Object.entries(cluster.stems));
  for (const stem of stemsOf(problem)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const frequent = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, MAX_STEMS);
  const { embedding } = problem;
  const isFurther = embedding !== undefined && cluster.vectors.length < MAX_VECTORS;
  return {
    ...cluster,
    count: cluster.count + 1,
    stems: Object.fromEntries(frequent),
    vectors: isFurther ? [...cluster.vectors, embedding] : cluster.vectors,
  };
}

function samenessOf({ embedding }: ToCluster, stems: readonly string[], cluster: ClusterMeaning): number {
  const cosines =
    embedding === undefined ? [] : cluster.vectors.flatMap((vector) => vectorSimilarity(embedding, vector) ?? []);
  if (cosines.length > 0) return Math.max(...cosines) / SAME_VECTOR;
  return wordSimilarity(stems, cluster.stems) / SAME_WORDS;
}

function normalised(kind: string): string {
  return kind.trim().toLowerCase().replaceAll(/\s+/g, ' ');
}
