import type { SnapshotScore } from '@clew/contracts';
import { meaningOfScores } from '@clew/rules';
import type { ScoredValue } from './conversation.model.ts';

/** Maximum number of distinct scores by which one conversation is found. */
const MAX_SCORED = 100;

const usual = meaningOfScores({});

/** Scores of a conversation, with their meaning where the project names none; of very many, the latest. */
export function scoreMeanings(scores: readonly SnapshotScore[]) {
  return scores.slice(-MAX_SCORED).map((score) => ({ name: score.name.trim(), meaning: usual(score) }));
}

/** Values of scores with which a threshold is compared, each once. */
export function scoredValues(scores: readonly SnapshotScore[]): ScoredValue[] {
  const values = scores.slice(-MAX_SCORED).flatMap((score): ScoredValue[] => {
    const value = comparableValue(score);
    return value === undefined ? [] : [{ name: score.name.trim(), value }];
  });
  return [...new Map(values.map((one) => [JSON.stringify(one), one])).values()];
}

/** Number, or what the words mean; undefined if they mean nothing. */
function comparableValue({ name, value }: SnapshotScore): number | boolean | undefined {
  if (typeof value !== 'string') return value;
  const meaningFrom = (atLeast: number) =>
    meaningOfScores({ successScores: [{ name: name.trim(), atLeast }] })({ name, value });
  const [lenient, strict] = [meaningFrom(-Infinity), meaningFrom(Infinity)];
  // Only a number depends on the threshold.
  if (lenient !== strict) return Number(value.trim());
  return lenient === 'none' ? undefined : lenient === 'success';
}
