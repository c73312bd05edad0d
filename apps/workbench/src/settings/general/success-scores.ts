import type { Api } from '@clew/sdk';

type SuccessScore = Api.TelemetrySettings['successScores'][number];

/** Score as it is typed. */
export interface ScoreDraft {
  readonly name: string;
  readonly atLeast: string;
}

export function scoreDrafts(scores: readonly SuccessScore[]): ScoreDraft[] {
  return scores.map(({ name, atLeast }) => ({ name, atLeast: atLeast === undefined ? '' : String(atLeast) }));
}

/** Scores of what was typed, without lines that have no name; undefined where a number is none. */
export function scoresOf(drafts: readonly ScoreDraft[]): SuccessScore[] | undefined {
  const scores: SuccessScore[] = [];
  for (const { name, atLeast } of drafts) {
    if (name.trim() === '') continue;
    const number = Number(atLeast);
    if (!Number.isFinite(number)) return undefined;
    scores.push({ name: name.trim(), ...(atLeast.trim() === '' ? {} : { atLeast: number }) });
  }
  return scores;
}
