import { describe, expect, it } from '@jest/globals';
import { evidenceAt, evidenceBeside, gatherEvidence, openingEvidence, rangesIn, wrongStep } from './evidence.ts';

const location = (stepIndex: number, quote: string) => ({ traceId: 't', spanId: 's', stepIndex, quotes: [{ quote }] });
const symptom = (findingId: string, stepIndex: number, quote: string) => ({
  ruleKey: 'r',
  findingId,
  title: 'Wrong refund',
  severity: 'high' as const,
  score: 0.9,
  signals: ['tool_error'],
  location: location(stepIndex, quote),
});
const diagnosis = {
  suspects: [
    { stepIndex: 3, agent: 'router', score: 0.7, because: 'it chose the wrong tool', quotes: [{ quote: 'refund()' }] },
    { stepIndex: 1, agent: '', score: 0.2, because: 'the request is unclear', quotes: [] },
  ],
  symptoms: [symptom('fnd_1', 5, 'no refund'), symptom('fnd_2', 2, 'other')],
};

describe('the evidence of a Finding', () => {
  const all = gatherEvidence({
    findingId: 'fnd_1',
    diagnosis,
    occurrence: { title: 'Wrong refund', diagnosticAnchor: location(5, 'no refund') },
    evidence: [{ ref: 'e1', title: 'Tool result', summary: 'It failed', location: location(4, '500') }],
  });

  it('is in the order of the steps, without that of other Findings, and no place twice', () => {
    expect(all.map(({ id }) => id)).toEqual(['suspect-1', 'suspect-0', 'evidence-e1', 'symptom-0']);
  });

  it('opens at the likeliest suspect, not at the first', () => {
    expect(openingEvidence(all)?.stepIndex).toBe(3);
    expect(openingEvidence(all.filter(({ kind }) => kind !== 'suspect'))?.id).toBe('symptom-0');
    expect(openingEvidence([])).toBeUndefined();
  });

  it('has its wrong answer where it showed, until somebody goes elsewhere', () => {
    expect(wrongStep(all, 'suspect-0')).toBe(5);
    expect(wrongStep(all, undefined)).toBe(5);
    expect(wrongStep(all, 'evidence-e1')).toBe(4);
    expect(
      wrongStep(
        all.filter(({ kind }) => kind !== 'symptom'),
        'suspect-0',
      ),
    ).toBe(3);
    expect(wrongStep([], undefined)).toBeUndefined();
  });

  it('is walked around its ends', () => {
    expect(evidenceBeside(all, 'symptom-0', 1)?.id).toBe('suspect-1');
    expect(evidenceBeside(all, 'suspect-1', -1)?.id).toBe('symptom-0');
    expect(evidenceBeside(all, undefined, 1)?.id).toBe('suspect-1');
    expect(evidenceBeside([], 'x', 1)).toBeUndefined();
  });

  it('marks its quotes in the message of its step', () => {
    expect(rangesIn('there is no refund', 5, 'content', all)).toEqual([
      { start: 9, end: 18, kind: 'symptom', evidenceId: 'symptom-0' },
    ]);
    expect(rangesIn('there is no refund', 4, 'content', all)).toEqual([]);
  });
});

it('marks a quote in the message and the field that it names', () => {
  const quotes = [{ quote: 'x', messageIndex: 7, field: 'arguments' as const, startChar: 2, endChar: 3 }];
  const all = gatherEvidence({
    diagnosis: { suspects: [{ stepIndex: 6, agent: 'a', score: 1, because: '', quotes }], symptoms: [] },
  });
  expect(rangesIn('x x', 7, 'arguments', all)).toMatchObject([{ start: 2, end: 3 }]);
  expect(rangesIn('x x', 7, 'content', all)).toEqual([]);
  expect(evidenceAt(7, all)).toHaveLength(1);
  expect(evidenceAt(6, all)).toHaveLength(1);
  expect(evidenceAt(5, all)).toEqual([]);
});
