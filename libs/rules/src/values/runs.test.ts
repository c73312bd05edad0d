import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { visitRuns } from './runs.ts';

function runsOf(text: string): [string, number, number][] {
  const runs: [string, number, number][] = [];
  visitRuns(text, (...run) => void runs.push(run));
  return runs;
}

describe('runs of a text', () => {
  it.each([
    ['on 2024-05-01, 10:30', ['on', '2024-05-01', '10:30']],
    ['ada@example.org owes 1,234.50.', ['ada@example.org', 'owes', '1,234.50']],
    ['a,b c:d 1:x', ['a', 'b', 'c', 'd', '1', 'x']],
    ["gift_card_22 isn't --here-", ['gift_card_22', "isn't", 'here']],
    ['schön–über 5', ['schön', 'über', '5']],
  ])('%s', (text, expected) => {
    expect(runsOf(text).map(([run]) => run)).toEqual(expected);
  });

  it('are the same in a plain text as beside letters of another alphabet', () => {
    const pieces = fc.constantFrom(
      'a',
      'B',
      '7',
      '_',
      '-',
      '.',
      '@',
      "'",
      '+',
      ',',
      ':',
      '/',
      ' ',
      '\n',
      '(',
      '%',
      '\0',
    );
    fc.assert(
      fc.property(
        fc.array(pieces).map((each) => each.join('')),
        (text) => {
          expect([...runsOf(text), ['é', text.length + 1, text.length + 2]]).toEqual(runsOf(`${text} é`));
        },
      ),
      { numRuns: 1000 },
    );
  });
});
