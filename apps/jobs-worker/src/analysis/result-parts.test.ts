import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Detection } from '@clew/contracts';
import type { ConversationResult } from './evaluate.ts';
import { ResultMessages, resultParts } from './result-parts.ts';

/** Builds a detection that has that many bytes more than an empty one. */
function detection(ruleId: string, bytes: number): Detection {
  return { ruleId, summary: 'x'.repeat(bytes) } as Detection;
}

const RULES = ['rule_a', 'rule_b', 'rule_c', 'rule_d'];
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Builds a result with detections of the given sizes, by Rule. */
function resultOf(sizes: Readonly<Record<string, readonly number[]>>): ConversationResult {
  return {
    ...{ conversationId: 'a chat', snapshotId: 'cesr_1' },
    snapshot: { revision: 1, scope: 'conversation', startedAt: 1, throughMs: 2 },
    diagnosis: { score: 0.5, suspects: [] },
    detections: Object.entries(sizes).flatMap(([ruleId, each]) => each.map((bytes) => detection(ruleId, bytes))),
    failed: [{ ruleId: 'rule_d', reason: 'it failed' }],
  };
}

describe('the parts of a result', () => {
  it('are one, which names no Rules, where everything is small', () => {
    const result = resultOf({ rule_a: [10], rule_b: [10] });
    expect(resultParts(result, RULES)).toEqual([{ result, bytes: bytesOf(result) }]);
  });

  it('tell of every Rule once and of everything that was found, within their size unless one Rule alone is larger', () => {
    const sizes = fc.record({
      rule_a: fc.array(fc.nat({ max: 900 }), { maxLength: 5 }),
      rule_b: fc.array(fc.nat({ max: 900 }), { maxLength: 5 }),
      rule_c: fc.array(fc.nat({ max: 900 }), { maxLength: 5 }),
    });
    fc.assert(
      fc.property(sizes, (given) => {
        const result = resultOf(given);
        const parts = resultParts(result, RULES, { maxPartBytes: 1_000 });
        const told = parts.map((part) => part.result);
        expect(told.flatMap(({ detections = [] }) => detections)).toEqual(result.detections);
        expect(told.flatMap(({ failed = [] }) => failed)).toEqual(result.failed);
        expect(told.flatMap(({ diagnosis = [] }) => diagnosis)).toEqual([result.diagnosis]);
        if (parts.length === 1) return;
        expect(told.flatMap(({ ruleIds }) => ruleIds)).toEqual(RULES);
        for (const { detections = [], ruleIds } of told) {
          expect(detections.every(({ ruleId }) => ruleIds!.includes(ruleId))).toBe(true);
          if (new Set(detections.map(({ ruleId }) => ruleId)).size > 1) {
            expect(bytesOf(detections)).toBeLessThanOrEqual(1_000);
          }
        }
      }),
    );
  });

  it('tell of a Rule that no message can hold that it failed, and keep the others', () => {
    const result = resultOf({ rule_a: [10], rule_b: [2_000], rule_c: [10] });
    const parts = resultParts(result, RULES, { maxPartBytes: 500, maxRuleBytes: 1_000 });
    const told = parts.map((part) => part.result);
    expect(told.flatMap(({ detections = [] }) => detections.map(({ ruleId }) => ruleId))).toEqual(['rule_a', 'rule_c']);
    const failed = told.flatMap((each) => each.failed ?? []).map(({ ruleId, reason }) => `${ruleId}: ${reason}`);
    expect(failed.toSorted()).toEqual(['rule_b: The result is too large', 'rule_d: it failed']);
  });
});

describe('the messages of results', () => {
  it('hold each result once, in order, within their size unless one alone is larger', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 900 }), { maxLength: 30 }), (sizes) => {
        const results = sizes.map((bytes, index) => ({ result: { ...resultOf({}), snapshotId: `${index}` }, bytes }));
        const messages = new ResultMessages(500);
        const full = results.map((result) => messages.add(result));
        const sent = [...full, messages.rest()].filter((part) => part.length > 0);
        expect(sent.flat()).toEqual(results.map(({ result }) => result));
        for (const part of sent) {
          const bytes = part.reduce((sum, { snapshotId }) => sum + sizes[Number(snapshotId)]!, 0);
          if (part.length !== 1) expect(bytes).toBeLessThanOrEqual(500);
        }
        expect(messages.rest()).toEqual([]);
      }),
    );
  });
});
