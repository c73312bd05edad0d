import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeKeys, encodeKeys, joinKeys, messageKeysOf, type IdentifiedMessage } from './extraction-ledger.ts';

/** Few different words, so that messages repeat. */
const message: fc.Arbitrary<IdentifiedMessage> = fc.record(
  {
    role: fc.constantFrom('user' as const, 'assistant' as const, 'tool' as const),
    content: fc.oneof(fc.constantFrom('yes', 'no', ''), fc.string({ unit: 'binary', maxLength: 10 })),
    toolCalls: fc.array(fc.record({ name: fc.constantFrom('find', 'cancel'), arguments: fc.jsonValue() }), {
      maxLength: 1,
    }),
  },
  { requiredKeys: ['role', 'content'] },
);
const conversation = fc.array(message, { maxLength: 30 });

describe('the keys of messages', () => {
  it('are each there once, however often the same is said', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const keys = messageKeysOf(messages);
        expect(new Set(keys).size).toBe(messages.length);
      }),
    );
  });

  it('stay as a conversation goes on: in turns, each message is new once', () => {
    fc.assert(
      fc.property(conversation, fc.array(fc.nat({ max: 30 }), { maxLength: 5 }), (messages, cuts) => {
        let read = '';
        const seen: (string | null)[] = [];
        for (const through of [...cuts.toSorted((left, right) => left - right), messages.length]) {
          const known = decodeKeys(read);
          const fresh = messageKeysOf(messages.slice(0, through)).filter((key) => !known.has(key!));
          seen.push(...fresh);
          read = joinKeys(read, encodeKeys(fresh as string[]));
        }
        expect(seen).toEqual(messageKeysOf(messages));
      }),
    );
  });

  it('come back as they were written, and joined keys are what both have', () => {
    const key = fc
      .array(fc.nat({ max: 255 }), { minLength: 8, maxLength: 8 })
      .map((bytes) => Buffer.from(bytes).toString('hex'));
    fc.assert(
      fc.property(fc.array(key), fc.array(key), (left, right) => {
        expect(decodeKeys(encodeKeys(left))).toEqual(new Set(left.toSorted()));
        expect(joinKeys(encodeKeys(left), encodeKeys(right))).toBe(encodeKeys([...left, ...right]));
      }),
    );
  });

  it('do not depend on the order of arguments, and those whose words have expired have none', () => {
    const calling = (given: unknown): IdentifiedMessage => ({
      ...{ role: 'assistant', content: '', toolCalls: [{ name: 'find', arguments: given }] },
    });
    expect(messageKeysOf([calling({ a: 1, b: 2 })])).toEqual(messageKeysOf([calling({ b: 2, a: 1 })]));
    expect(messageKeysOf([calling({ a: 1 })])).not.toEqual(messageKeysOf([calling({ a: 2 })]));
    expect(messageKeysOf([{ role: 'user', content: '', textExpired: true }])).toEqual([null]);
  });

  it('that are cut off are refused', () => {
    expect(() => decodeKeys(Buffer.from('123456789').toString('base64'))).toThrow(RangeError);
  });
});
