import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { refundConversation, snapshotOf, type MessageDraft } from './test-support/conversation.ts';
import { transcriptOf } from './transcript.ts';

const long = (count: number, length = 1_000): MessageDraft[] =>
  Array.from({ length: count }, (_, index) => ({
    role: 'assistant',
    content: `begin${index} ${'x'.repeat(length)} end${index}`,
  }));

describe('a transcript', () => {
  it('shows each message with index, role, name and time, and calls with their arguments before the result', () => {
    const { text, shown } = transcriptOf(refundConversation(), [], 10_000);
    expect(text.split('\n')).toEqual([
      '[0] system at 22:13:20: You are support-bot. Refund only what the customer agreed to.',
      '[1] user at 22:13:21: Please refund the 20 euros that I paid too much.',
      '[2] assistant at 22:13:22: (calls refund({"amount":30}))',
      '[3] tool (refund) at 22:13:23: {"status":"done","amount":30}',
      '[4] assistant at 22:13:24: I have refunded 20 euros to your card.',
    ]);
    expect(shown).toHaveLength(5);
  });

  it('keeps start, end and hints whole where not everything fits, and shortens the rest in its middle', () => {
    const { text } = transcriptOf(snapshotOf(long(60)), [30], 40_000);
    for (const whole of [0, 1, 2, 29, 30, 31, 52, 59])
      expect(text).toContain(`begin${whole} ${'x'.repeat(1_000)} end${whole}`);
    expect(text).toMatch(/begin10 x+\n\[\.\.\.\]\nx+ end10/);
    expect(text.length).toBeLessThanOrEqual(42_000);
  });

  it('leaves out the messages farthest from the whole ones if even that is too long, and says so', () => {
    const { text, shown } = transcriptOf(snapshotOf(long(400)), [200], 30_000);
    expect(text).toContain('are left out');
    expect(shown.map(({ index }) => index)).toEqual(expect.arrayContaining([0, 200, 399]));
    expect(shown.length).toBeLessThan(400);
  });

  it('is never much longer than its limit, whatever the conversation, and keeps the order', () => {
    const message = fc.record({
      role: fc.constantFrom('user' as const, 'assistant' as const, 'tool' as const),
      content: fc.string({ maxLength: 3_000 }),
    });
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 60 }),
        fc.array(fc.nat(60), { maxLength: 4 }),
        fc.integer({ min: 3_000, max: 60_000 }),
        (messages, steps, limit) => {
          const { text, shown } = transcriptOf(snapshotOf(messages), steps, limit);
          // One message is always shown, and line breaks and notes about gaps come on top.
          expect(text.length).toBeLessThanOrEqual(Math.max(limit, 8_100) + 80 * messages.length);
          const indices = shown.map(({ index }) => index);
          expect(indices).toEqual(indices.toSorted((one, other) => one - other));
          expect(shown.length).toBeGreaterThan(0);
        },
      ),
    );
  });
});
