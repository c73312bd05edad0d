import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Detection } from '@clew/contracts';
import type { Occurrence } from '../findings/occurrence.ts';
import { deliveries } from '../test-support/deliveries.ts';
import { detectionOf, PROJECT_ID } from '../test-support/results.ts';
import { resultMessageOf } from './analysis-result.ts';
import { applyResults } from './apply-results.ts';
import type { ResultState } from './result-state.ts';
import { withVerdicts, type Verdict } from './review-occurrences.ts';

const NOTHING: ResultState = { conversations: new Map(), findings: new Map() };

/** States that random results lead to. */
const states = deliveries.map((batchesOf) =>
  batchesOf(PROJECT_ID).reduce(
    (state, batch, index) =>
      applyResults(
        state,
        batch.flatMap((message) => resultMessageOf(message).results),
        index + 1,
      ),
    NOTHING,
  ),
);

function occurrencesOf({ conversations }: ResultState): Occurrence[] {
  const views = [...conversations.values()].flatMap(({ rules }) => [...rules.values()]);
  return views.flatMap(({ occurrences }) => [...occurrences.values()]) as Occurrence[];
}

/** Choices for occurrences: keep, withdraw, renew with other words, or a verdict on another snapshot. */
const verdicts = fc.array(fc.constantFrom('keep', 'withdraw', 'renew', 'another snapshot'), {
  minLength: 60,
  maxLength: 60,
});

describe('verdicts on occurrences', () => {
  it('withdraw what no longer holds, say anew what does, leave the rest, and everything counts what is left', () => {
    fc.assert(
      fc.property(states, verdicts, (before, choices) => {
        const known = occurrencesOf(before);
        const given = new Map<string, Verdict>();
        const expected = new Map<string, Detection>();
        known.forEach((occurrence, index) => {
          const { id, snapshotId } = occurrence;
          const anew = { ...occurrence.detection, ...detectionOf('anew'), summary: id };
          const choice = choices[index % choices.length]!;
          if (choice !== 'withdraw') expected.set(id, choice === 'renew' ? anew : occurrence.detection);
          if (choice === 'withdraw') given.set(id, { detection: undefined, snapshotId });
          if (choice === 'renew') given.set(id, { detection: anew });
          if (choice === 'another snapshot') given.set(id, { detection: undefined, snapshotId: 'cesr_another' });
        });
        const after = withVerdicts(before, given, 1_000);
        const left = occurrencesOf(after);
        expect(new Map(left.map(({ id, detection }) => [id, detection]))).toEqual(expected);
        for (const [id, { head }] of after.findings) {
          expect(head.occurrenceCount).toBe(left.filter(({ findingId }) => findingId === id).length);
          expect(head.lastDetectedAt).toBe(before.findings.get(id)!.head.lastDetectedAt);
        }
        for (const [key, conversation] of after.conversations) {
          const own = left.filter(({ conversationId }) => conversationId === conversation.conversationId);
          expect(conversation.findingCount).toBe(own.length);
          const former = before.conversations.get(key)!;
          const isTouched = occurrencesOf({ ...before, conversations: new Map([[key, former]]) }).some(
            ({ id, snapshotId }) => {
              const verdict = given.get(id);
              return verdict !== undefined && (verdict.snapshotId ?? snapshotId) === snapshotId;
            },
          );
          expect(conversation.version).toBe(former.version + Number(isTouched));
          if (!isTouched) expect(conversation).toBe(former);
        }
      }),
      { numRuns: 300 },
    );
  });
});
