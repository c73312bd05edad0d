import type { Score } from '@clew/contracts';

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

/**
 * Tells whether a score is bad: `false`, less than 0.5 from 0 to 1, or a word for failure; a number on another scale
 * says nothing.
 */
export function isFailingScore({ value }: Pick<Score, 'value'>, further: ReadonlySet<string> = new Set()): boolean {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value === -1 || (value >= 0 && value < 0.5);
  const word = value.trim().toLowerCase();
  return FAILURE_WORDS.has(word) || further.has(word) || isBetween(word, 0, 0.499_999);
}

/** Tells whether a score is good: `true`, 0.5 or more from 0 to 1, or a word for success. */
export function isPassingScore({ value }: Pick<Score, 'value'>): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value >= 0.5 && value <= 1;
  const word = value.trim().toLowerCase();
  return SUCCESS_WORDS.has(word) || isBetween(word, 0.5, 1);
}

function isBetween(text: string, low: number, high: number): boolean {
  return /^(?:0?\.\d{1,6}|0|1(?:\.0{1,6})?)$/.test(text) && Number(text) >= low && Number(text) <= high;
}
