import { describe, expect, it } from '@jest/globals';
import type { Score, SuccessScore } from '@clew/contracts';
import fc from 'fast-check';
import { meaningOfScores, type ScoreMeaning } from './score-meaning.ts';

type Judged = Pick<Score, 'name' | 'value'>;

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -5, max: 5 }),
  fc.constantFrom(0, 0.5, 0.499_999, 1, -1),
);
const word = fc.constantFrom(
  'pass',
  'Good',
  'fail',
  ' BAD ',
  'maybe',
  '👍',
  '-1',
  '0.3',
  '0.9',
  '4',
  '+4.',
  '.5',
  '1e3',
);
const value = fc.oneof(number, fc.boolean(), word, fc.string({ maxLength: 12 }), number.map(String));
const name = fc.constantFrom('csat', 'faithful', 'resolved', 'tone', 'latency');
const judged: fc.Arbitrary<Judged> = fc.record({ name, value });
const named: fc.Arbitrary<SuccessScore[]> = fc.uniqueArray(
  fc.record({ name, atLeast: number }, { requiredKeys: ['name'] }),
  { minLength: 1, selector: (score) => score.name },
);
const failing = fc.uniqueArray(fc.constantFrom('maybe', 'good', 'pass', '4'), { maxLength: 2 });

const isNumeric = (given: Score['value']) => typeof given !== 'boolean' && Number.isFinite(Number(given));

/** Meaning by the words of the design alone, for a project that names no score. */
function usualMeaning({ value: given }: Judged): ScoreMeaning {
  return meaningOfScores({})({ name: 'any', value: given });
}

describe('the meaning of a score', () => {
  it('is one of success, failure and nothing, the same whatever the order of the named scores', () => {
    fc.assert(
      fc.property(judged, named, failing, fc.nat(), (score, scores, texts, turn) => {
        const meaning = meaningOfScores({ successScores: scores }, new Set(texts))(score);
        expect(['success', 'failure', 'none']).toContain(meaning);
        const at = turn % scores.length;
        const turned = [...scores.slice(at), ...scores.slice(0, at)].toReversed();
        expect(meaningOfScores({ successScores: turned }, new Set(texts))(score)).toBe(meaning);
      }),
    );
  });

  it('is nothing for a score that is not among those that are named, even with a text that means failure', () => {
    fc.assert(
      fc.property(judged, named, failing, (score, scores, texts) => {
        fc.pre(scores.every((one) => one.name !== score.name));
        expect(meaningOfScores({ successScores: scores }, new Set(texts))(score)).toBe('none');
      }),
    );
  });

  it('is that of a project without names for true, false, words, and numbers without a threshold', () => {
    fc.assert(
      fc.property(judged, named, (score, scores) => {
        const own = scores.find((one) => one.name === score.name);
        fc.pre(own !== undefined && (own.atLeast === undefined || !isNumeric(score.value)));
        expect(meaningOfScores({ successScores: scores })(score)).toBe(usualMeaning(score));
      }),
    );
    expect(meaningOfScores({ successScores: [] })({ name: 'any', value: 0.5 })).toBe('success');
  });

  it('is success for a number from the threshold on and failure below it, sent as a number or as text', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -99_999, max: 99_999 }),
        fc.integer({ min: -99_999, max: 99_999 }),
        (hundredths, of) => {
          const [given, atLeast] = [hundredths / 100, of / 100];
          const meaningOf = meaningOfScores({ successScores: [{ name: 'csat', atLeast }] });
          const expected = given >= atLeast ? 'success' : 'failure';
          expect(meaningOf({ name: 'csat', value: given })).toBe(expected);
          expect(meaningOf({ name: ' csat ', value: ` ${given} ` })).toBe(expected);
        },
      ),
    );
  });

  it('grows with the number: none is a failure above one that is a success', () => {
    fc.assert(
      fc.property(number, number, number, (one, other, atLeast) => {
        const meaningOf = meaningOfScores({ successScores: [{ name: 'csat', atLeast }] });
        const lower = meaningOf({ name: 'csat', value: Math.min(one, other) });
        expect(lower === 'success' && meaningOf({ name: 'csat', value: Math.max(one, other) }) === 'failure').toBe(
          false,
        );
      }),
    );
  });

  it('of a text that a Rule adds is failure, and the other texts keep theirs', () => {
    fc.assert(
      fc.property(judged, failing, (score, texts) => {
        const { value: given } = score;
        const isAdded = typeof given === 'string' && new Set<string>(texts).has(given.trim().toLowerCase());
        expect(meaningOfScores({}, new Set(texts))(score)).toBe(isAdded ? 'failure' : usualMeaning(score));
      }),
    );
  });

  it.each<[ScoreMeaning, Score['value'][]]>([
    ['success', [true, 1, 0.5, '0.5', 'pass', ' Good ', '👍']],
    ['failure', [false, 0, 0.49, -1, '0.1', 'fail', 'Bad', '-1']],
    ['none', [3, -7, 1.01, '4', 'maybe', '']],
  ])('without names is %s for %j', (expected, values) => {
    expect(new Set(values.map((given) => usualMeaning({ name: 'any', value: given })))).toEqual(new Set([expected]));
  });
});
