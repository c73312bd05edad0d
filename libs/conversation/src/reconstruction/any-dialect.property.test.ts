import { describe, expect, it } from '@jest/globals';
import { encodeConversation } from '@clew/testing';
import fc from 'fast-check';
import { assembleConversation } from './assemble-conversation.ts';
import { contentHashOf, messageHashOf } from './content-hash.ts';
import { recordsOf, repeatedAndShuffled } from './test-support/records.ts';
import { madeIn, madeInScript, saidIn, saidInScript } from './test-support/said.ts';
import { encoding, script } from './test-support/scripts.ts';

const RUNS = 200;

describe('a conversation told in any dialect', () => {
  it('is assembled into exactly its messages, in order, whatever the dialect, history, order and repeats', () => {
    fc.assert(
      fc.property(script, encoding, fc.nat(), (conversation, options, seed) => {
        const records = recordsOf(encodeConversation(conversation, options));
        const { messages, contentHash } = assembleConversation(repeatedAndShuffled(records, seed));
        const expected = saidInScript(conversation);
        expect(saidIn(messages)).toEqual(expected);
        expect(messages.map(({ index }) => index)).toEqual([...messages.keys()]);
        expect(contentHash).toBe(contentHashOf(expected));
        expect(messages.map(({ hash }) => hash)).toEqual(expected.map(messageHashOf));
        expect(madeIn(messages)).toEqual(madeInScript(conversation, options));
      }),
      { numRuns: RUNS },
    );
  });
});
