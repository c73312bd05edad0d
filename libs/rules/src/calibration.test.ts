import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BUILT_IN_RULES } from './built-in-rules.ts';
import { calibrateConfidence } from './calibration.ts';

const KEYS = BUILT_IN_RULES.map(({ ruleKey }) => ruleKey);

it('raises what was right on labelled conversations, lowers what was not, and leaves what no label speaks of', () => {
  expect(calibrateConfidence('invalid_tool_arguments', 0.8)).toEqual({
    confidence: 19 / 21,
    labelled: { flagged: 11, failed: 11 },
  });
  expect(calibrateConfidence('refusal', 0.8).confidence).toBeLessThan(0.6);
  expect(calibrateConfidence('latency_outlier', 0.8)).toEqual({ confidence: 0.8, labelled: undefined });
});

it('stays a probability, and keeps the order of what one Rule is confident of', () => {
  const confidences = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.constantFrom(...KEYS), confidences, confidences, (key, one, other) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)].map((each) => calibrateConfidence(key, each));
      expect(low!.confidence).toBeLessThanOrEqual(high!.confidence);
      for (const each of [low!, high!]) {
        expect(each.confidence).toBeGreaterThanOrEqual(0);
        expect(each.confidence).toBeLessThanOrEqual(1);
      }
    }),
  );
});
