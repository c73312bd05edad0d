import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CallRecord, HeldRecord } from './call-identity.ts';
import { heldBy, shareCalls } from './share-calls.ts';

const SECOND_NS = 1_000_000_000n;
const TRACES = ['1', '2', '3', '4'].map((digit) => digit.padStart(32, '0'));

/** Records of a few calls that several conversations contain, some of them named, others traces. */
const records: fc.Arbitrary<HeldRecord[]> = fc
  .array(
    fc.record({
      trace: fc.constantFrom(...TRACES),
      conversation: fc.constantFrom('chat', 'conv', undefined),
      call: fc.nat({ max: 3 }),
      startMs: fc.nat({ max: 12_000 }),
      isOwn: fc.boolean(),
      scopeName: fc.constantFrom('', 'one', 'two'),
    }),
    { maxLength: 12 },
  )
  .map((sketches) =>
    sketches.map(({ trace, conversation, call, startMs, isOwn, scopeName }, index) => {
      const startNs = BigInt(startMs) * 1_000_000n;
      const record: CallRecord = {
        ...{ key: `${trace}:${index}`, startNs, endNs: startNs + SECOND_NS, responseId: `r${call % 2}` },
        ...{ models: [], question: `question ${call}`, answer: `answer ${call}` },
        ...{ isFailed: false, isOwn, scopeName: isOwn ? 'endpoint' : scopeName },
      };
      return heldBy(conversation ?? trace, record);
    }),
  );

describe('conversations that share calls', () => {
  it('keep every record in one of them, whichever of them is asked first', () => {
    fc.assert(
      fc.property(records, (held) => {
        const ids = [...new Set(held.map(({ conversationId }) => conversationId))];
        const kept = ids.flatMap((conversationId) => {
          const own = held.filter((one) => one.conversationId === conversationId).map(({ record }) => record);
          const { lost, taken } = shareCalls(conversationId, own, held);
          const stay = own.filter(({ key }) => !lost.has(key));
          return [...stay, ...taken.map(({ record }) => record)].map(({ key }) => key);
        });
        expect(kept.sort()).toEqual(held.map(({ record }) => record.key).sort());
      }),
      { numRuns: 1_000 },
    );
  });

  it('keep what is no one else’s', () => {
    fc.assert(
      fc.property(records, (held) => {
        const [first] = held;
        if (first === undefined) return;
        const own = held.filter((one) => one.conversationId === first.conversationId);
        const { lost, taken } = shareCalls(
          first.conversationId,
          own.map(({ record }) => record),
          own,
        );
        expect([lost.size, taken]).toEqual([0, []]);
      }),
    );
  });
});
