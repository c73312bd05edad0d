import { Detection } from '@clew/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assistant, conversation, detect, user } from './test-support/conversation.ts';
import { MAX_DETECTIONS, MAX_EVIDENCE } from './evaluate-rule.ts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition, type SignalHit } from './rule.ts';

const snapshot = conversation([
  user('Hello'),
  assistant('Hi'),
  ...Array.from({ length: 100 }, (_, n) => user(`Message ${n}`)),
]);
const narrative = { title: 'Title', summary: 'Summary.', causeAssessment: 'Cause.', remediationHint: 'Hint.' };

function placed(quote: string) {
  return { quote, startChar: 0, endChar: quote.length };
}

function occurrence(signals: readonly SignalHit[], messageIndex = 0, problem = 'a problem'): Occurrence {
  const message = snapshot.messages[messageIndex];
  if (message === undefined) throw new RangeError(`No message ${messageIndex}`);
  return {
    signals,
    signature: { names: [problem], text: '' },
    evidence: [{ kind: 'message', message, title: 'Here', summary: 'It is here', quote: placed(message.content) }],
    narrative,
  };
}

function ruleThatFinds(...occurrences: readonly Occurrence[]): RuleDefinition {
  return {
    ruleId: 'rule_0',
    ruleKey: 'rule',
    name: 'Rule',
    description: 'A rule',
    categoryKey: 'category',
    keywordsMeaning: null,
    signals: [
      { name: 'strong', description: 'Strong', defaultSeverity: 'high', weight: 0.8 },
      { name: 'middle', description: 'Middle', defaultSeverity: 'medium', weight: 0.5 },
      { name: 'weak', description: 'Weak', defaultSeverity: 'low', weight: 0.3 },
    ],
    defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
    detect: () => occurrences,
  };
}

const strong = [{ name: 'strong', strength: 1 }];
const weak = [{ name: 'weak', strength: 1 }];

describe('grouping', () => {
  it('one Detection for each cluster, with all its evidence and the strongest case as anchor', () => {
    const rule = ruleThatFinds(
      occurrence(weak, 3),
      occurrence(strong, 5),
      occurrence(weak, 7),
      occurrence(strong, 8, 'other'),
    );
    const detections = detect(rule, snapshot);
    expect(detections).toHaveLength(2);
    expect(detections.map((detection) => detection.clusterFingerprint)).toHaveLength(2);
    const [first] = detections;
    expect(first?.anchor.stepIndex).toBe(5);
    expect(first?.evidence.map((evidence) => evidence.location.stepIndex)).toEqual([5, 3, 7]);
    expect(first?.signals).toEqual(['strong', 'weak']);
    expect(first?.summary).toBe('Summary. It happened 3 times in this conversation.');
  });

  it('the same evidence is listed once, and its ref does not change with a replay', () => {
    const rule = ruleThatFinds(occurrence(strong, 5), occurrence(strong, 5));
    const [detection] = detect(rule, snapshot);
    expect(detection?.evidence).toHaveLength(1);
    expect(detect(rule, snapshot)).toEqual(detect(rule, snapshot));
  });

  it(`carries at most ${MAX_EVIDENCE} pieces of evidence and ${MAX_DETECTIONS} Detections, the clearest first`, () => {
    const many = Array.from({ length: 100 }, (_, index) => occurrence(strong, index));
    expect(detect(ruleThatFinds(...many), snapshot)[0]?.evidence).toHaveLength(MAX_EVIDENCE);
    const clusters = Array.from({ length: 100 }, (_, index) =>
      occurrence([{ name: 'strong', strength: 0.7 + index / 1000 }], index, `problem ${'x'.repeat(index)}`),
    );
    const detections = detect(ruleThatFinds(...clusters), snapshot);
    expect(detections).toHaveLength(MAX_DETECTIONS);
    expect(detections[0]?.anchor.stepIndex).toBe(99);
  });
});

describe('scores', () => {
  const scoresOf = (...occurrences: Occurrence[]): number[] =>
    detect(ruleThatFinds(...occurrences), snapshot, { minSignalScore: 0, minDiagnosticConfidence: 0 }).flatMap(
      (detection) => [detection.diagnosticScore, detection.diagnosticConfidence],
    );

  it('a signal alone gives its weight times its strength', () => {
    expect(scoresOf(occurrence(strong))).toEqual([0.8, 0.8]);
    expect(scoresOf(occurrence([{ name: 'strong', strength: 0.5 }]))).toEqual([0.4, 0.4]);
  });

  it('signals of one case are combined, each once', () => {
    expect(
      scoresOf(occurrence([...strong, { name: 'middle', strength: 1 }, { name: 'strong', strength: 0.2 }])),
    ).toEqual([0.9, 0.9]);
  });

  it('repeats raise the score and not the confidence', () => {
    const [score, confidence] = scoresOf(occurrence(weak, 1), occurrence(weak, 2), occurrence(weak, 3));
    expect(confidence).toBe(0.3);
    expect(score).toBeGreaterThan(0.3);
  });

  it('a truncated snapshot lowers the confidence', () => {
    const [detection] = detect(ruleThatFinds(occurrence(strong)), { ...snapshot, truncated: true });
    expect(detection).toMatchObject({ diagnosticScore: 0.8, diagnosticConfidence: 0.72 });
  });

  it('stay between 0 and 1, whatever fired', () => {
    const hits = fc.array(
      fc.record({ name: fc.constantFrom('strong', 'middle', 'weak'), strength: fc.double({ noNaN: true }) }),
      {
        minLength: 1,
      },
    );
    fc.assert(
      fc.property(fc.array(hits, { minLength: 1, maxLength: 20 }), (cases) => {
        const scores = scoresOf(...cases.map((signals, index) => occurrence(signals, index)));
        for (const score of scores) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThan(1);
        }
      }),
    );
  });
});

describe('configuration', () => {
  it('minSignalScore and minDiagnosticConfidence gate, both inclusive', () => {
    const rule = ruleThatFinds(occurrence(strong));
    expect(detect(rule, snapshot, { minSignalScore: 0.8, minDiagnosticConfidence: 0.8 })).toHaveLength(1);
    expect(detect(rule, snapshot, { minSignalScore: 0.81 })).toEqual([]);
    expect(detect(rule, snapshot, { minDiagnosticConfidence: 0.81 })).toEqual([]);
  });

  it('many weak cases do not make a confident one', () => {
    const rule = ruleThatFinds(...Array.from({ length: 50 }, (_, index) => occurrence(weak, index)));
    expect(detect(rule, snapshot)).toEqual([]);
    expect(detect(rule, snapshot, { minDiagnosticConfidence: 0.3 })).toHaveLength(1);
  });

  it('a signal that is switched off does not count, and alone finds nothing', () => {
    const signalOverrides = { strong: { enabled: false, severity: 'high' as const } };
    expect(
      detect(ruleThatFinds(occurrence(strong)), snapshot, {
        signalOverrides,
        minSignalScore: 0,
        minDiagnosticConfidence: 0,
      }),
    ).toEqual([]);
    const both = ruleThatFinds(occurrence([...strong, { name: 'middle', strength: 1 }]));
    expect(detect(both, snapshot, { signalOverrides })).toMatchObject([{ signals: ['middle'], diagnosticScore: 0.5 }]);
  });

  it('the severity is the gravest of the signals that fired, as the project sets them', () => {
    const rule = ruleThatFinds(occurrence([...strong, { name: 'middle', strength: 1 }]));
    expect(detect(rule, snapshot)[0]?.severity).toBe('high');
    const signalOverrides = {
      strong: { enabled: true, severity: 'info' as const },
      weak: { enabled: true, severity: 'critical' as const },
    };
    expect(detect(rule, snapshot, { signalOverrides })[0]?.severity).toBe('medium');
  });
});

it('a Detection follows its contract', () => {
  expect(Detection.safeParse(detect(ruleThatFinds(occurrence(strong)), snapshot)[0])).toMatchObject({ success: true });
});
