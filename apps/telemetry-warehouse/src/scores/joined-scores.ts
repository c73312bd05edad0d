import type { SnapshotScore } from '@clew/contracts';

const MAX_SCORES = 2_000;

/** Joins scores from several sources, each once, ordered by time; of very many, the latest. */
export function joinedScores(...sources: readonly (readonly SnapshotScore[])[]): SnapshotScore[] {
  const byId = new Map(sources.flat().map((score) => [score.id, score]));
  return [...byId.values()]
    .sort((left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1))
    .slice(-MAX_SCORES);
}
