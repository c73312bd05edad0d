import { expect, it } from '@jest/globals';
import { decisionSummary } from './decision-summary.ts';

it('sums decisions up by outcome, and the refused ones by reason', () => {
  const refused = (reason: 'no_answer' | 'open_problem') => ({ outcome: 'refused', reason }) as const;
  const decisions = [
    { outcome: 'collected', reason: null } as const,
    ...[refused('no_answer'), refused('open_problem'), refused('open_problem')],
  ];
  expect(decisionSummary(decisions)).toEqual({
    total: 4,
    outcomes: [
      { outcome: 'refused', number: 3 },
      { outcome: 'collected', number: 1 },
    ],
    refusals: [
      { reason: 'open_problem', number: 2 },
      { reason: 'no_answer', number: 1 },
    ],
  });
});
