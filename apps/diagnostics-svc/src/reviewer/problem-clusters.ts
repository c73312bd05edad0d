import type { ProblemCategory } from '@clew/contracts';
import { meaningOf, samenessOf, type ProblemMeaning } from './same-problem.ts';

/** Problem that needs a cluster. */
export interface ToCluster {
  category: ProblemCategory;
  agent: string | null;
  tool: string | null;
  kind: string;
  title: string;
  embedding?: { model: string; vector: string } | undefined;
}

/** Cluster by its title and the meanings of its first examples. */
export interface ClusterDraft {
  title: string;
  examples: readonly ProblemMeaning[];
}

export interface Clustered<Cluster> {
  cluster: Cluster | ClusterDraft;
  isNew: boolean;
  /** Whether a known cluster has a further example. */
  isChanged: boolean;
}

/** Examples of a cluster: enough to know the same problem in other words, and few to compare with. */
const MAX_EXAMPLES = 12;
/** Sameness from which an example adds nothing. */
const AS_GOOD_AS_EQUAL = 1.6;

/**
 * Chooses the cluster of a problem among those of the same category, agent and tool: the one with the most similar
 * example, if that is the same problem; else a new one. Other words become a further example of the cluster.
 */
export function clustered<Cluster extends ClusterDraft>(
  problem: ToCluster,
  known: readonly Cluster[],
): Clustered<Cluster> {
  const meaning = meaningOf(problem, problem.embedding);
  let best: { cluster: Cluster; sameness: number } | undefined;
  for (const cluster of known) {
    const sameness = Math.max(...cluster.examples.map((example) => samenessOf(meaning, example)));
    if (sameness >= 1 && sameness > (best?.sameness ?? 0)) best = { cluster, sameness };
  }
  if (best === undefined)
    return { cluster: { title: problem.title, examples: [meaning] }, isNew: true, isChanged: false };
  const { cluster, sameness } = best;
  const isChanged = sameness < AS_GOOD_AS_EQUAL && cluster.examples.length < MAX_EXAMPLES;
  return {
    cluster: isChanged ? { ...cluster, examples: [...cluster.examples, meaning] } : cluster,
    isNew: false,
    isChanged,
  };
}
