import { describe, expect, it } from '@jest/globals';
import { measure, readLabelledPrompts } from './test-support/labelled-prompts.ts';

/**
 * Measures the grammar on prompts as teams write them: every sentence of twenty prompts was labelled by hand before the
 * grammar was written. It was tuned on the ten of `tuning`; those of `unseen` were used once, at the end.
 */
describe.each([
  { set: 'tuning', sentences: 180, labels: 64, right: 61 },
  { set: 'unseen', sentences: 172, labels: 64, right: 43 },
] as const)('of the labelled prompts ($set)', ({ set, sentences, labels, right }) => {
  const measured = readLabelledPrompts(set).map((prompt) => ({ name: prompt.name, ...measure(prompt) }));
  const sum = (part: (one: (typeof measured)[number]) => number): number =>
    measured.reduce((total, one) => total + part(one), 0);

  it('no sentence becomes an Expectation that it does not state', () => {
    expect(measured.flatMap(({ name, wrong }) => wrong.map((text) => `${name}: ${text}`))).toEqual([]);
  });

  it(`${right} of ${labels} that can be checked are compiled`, () => {
    const figures = {
      sentences: sum((one) => one.sentences),
      labels: sum((one) => one.labels),
      right: sum((one) => one.right),
    };
    const missed = measured.flatMap((one) => one.missed.map((text) => `  missed in ${one.name}: ${text}`));
    process.stdout.write(`${set}: ${JSON.stringify(figures)}\n${missed.join('\n')}\n`);
    expect(figures).toMatchObject({ sentences, labels });
    expect(figures.right).toBeGreaterThanOrEqual(right);
  });
});
