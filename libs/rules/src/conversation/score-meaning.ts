import type { ConversationSnapshot, Score, SuccessScore } from '@clew/contracts';

/** Meaning of a score for the outcome of its conversation. */
export type ScoreMeaning = 'success' | 'failure' | 'none';

const FAILURE_WORDS = new Set(
  (
    'fail failed failure bad negative no false poor wrong incorrect unhelpful dislike down thumbs_down thumbsdown ' +
    'thumbs-down unsatisfied dissatisfied error rejected unacceptable -1 👎'
  ).split(' '),
);
const SUCCESS_WORDS = new Set(
  (
    'pass passed success successful good positive yes true great correct helpful like up thumbs_up thumbsup ' +
    'thumbs-up satisfied accepted acceptable 👍'
  ).split(' '),
);
/** Text of a number from 0 to 1. */
const SHARE = /^(?:0?\.\d{1,6}|0|1(?:\.0{1,6})?)$/;
const NUMBER = /^[-+]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})$/;

/**
 * Creates the reading of a snapshot's scores. Where the project names the scores that count (`successScores`), others
 * mean nothing, and a number is compared with the threshold of its score. Otherwise, and for `true`, `false` and words
 * in any case: `false`, less than 0.5 from 0 to 1, or a word for failure is a failure; `true`, 0.5 or more from 0 to 1,
 * or a word for success is a success; a number on another scale means nothing.
 *
 * @param failing - Further texts that mean failure, for scores that count.
 */
export function meaningOfScores(
  { successScores = [] }: Pick<ConversationSnapshot, 'successScores'>,
  failing: ReadonlySet<string> = new Set(),
): (score: Pick<Score, 'name' | 'value'>) => ScoreMeaning {
  const named = new Map(successScores.map((score) => [score.name, score]));
  return ({ name, value }) => {
    const counted: Pick<SuccessScore, 'atLeast'> | undefined = named.size === 0 ? {} : named.get(name.trim());
    if (counted === undefined) return 'none';
    if (typeof value === 'boolean') return value ? 'success' : 'failure';
    return typeof value === 'number'
      ? meaningOfNumber(value, counted.atLeast)
      : meaningOfText(value.trim().toLowerCase(), counted.atLeast, failing);
  };
}

function meaningOfNumber(value: number, atLeast: number | undefined): ScoreMeaning {
  if (atLeast !== undefined) return value >= atLeast ? 'success' : 'failure';
  if (value === -1 || (value >= 0 && value < 0.5)) return 'failure';
  return value >= 0.5 && value <= 1 ? 'success' : 'none';
}

function meaningOfText(text: string, atLeast: number | undefined, failing: ReadonlySet<string>): ScoreMeaning {
  if (failing.has(text)) return 'failure';
  // A threshold also holds for a number that was sent as text; "0.7" must not pass where 0.7 does not.
  if ((atLeast === undefined ? SHARE : NUMBER).test(text)) return meaningOfNumber(Number(text), atLeast);
  if (FAILURE_WORDS.has(text)) return 'failure';
  return SUCCESS_WORDS.has(text) ? 'success' : 'none';
}
