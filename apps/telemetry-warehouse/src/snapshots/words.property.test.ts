import { describe, expect, it } from '@jest/globals';
import { ConversationMessage, SnapshotMessage, SnapshotScore, type Score } from '@clew/contracts';
import { contentHashOf, messageHashOf } from '@clew/conversation';
import fc from 'fast-check';
import { joinedScores, scoredHashOf } from '../scores/index.ts';
import type { SnapshotContent } from './snapshot-content.ts';
import { shownMessage, withoutWords } from './words.ts';

/** Word in all texts of these conversations, so that no remaining text goes unnoticed. */
const WORD = 'unforgettable';
const word = fc.oneof(
  fc.constant(WORD),
  fc.string({ unit: 'grapheme', maxLength: 10 }).map((more) => `${WORD} ${more}`),
);
const id = fc.option(fc.constantFrom('call_1', 'call_2', 'call_3'), { nil: undefined });
const calls = fc.array(
  fc.record({ id, name: fc.constantFrom('search', 'book'), arguments: fc.oneof(word, fc.dictionary(word, word)) }),
  { maxLength: 3 },
);

const message = fc.record(
  {
    role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const, 'tool' as const),
    content: fc.oneof(word, fc.constant('')),
    toolCalls: calls,
    toolCallId: id.filter((given) => given !== undefined),
    name: fc.constant('guide'),
    reasoning: word,
    attachments: fc.array(fc.record({ type: fc.constant('image_url'), url: word }), { minLength: 1, maxLength: 2 }),
    error: fc.record({ type: fc.constant('Timeout'), message: word }),
    model: fc.constant('gpt-4o'),
    durationMs: fc.nat(),
    traceId: fc.constant('1'.repeat(32)),
    spanId: fc.constant('2'.repeat(16)),
    atMs: fc.nat(),
  },
  { requiredKeys: ['role', 'content', 'traceId', 'spanId', 'atMs'] },
);
const score: fc.Arbitrary<Score> = fc.record(
  {
    id: fc.uuid(),
    name: fc.constantFrom('helpful', 'polite'),
    value: fc.oneof(fc.boolean(), fc.constant('good')),
    comment: word,
    source: fc.constantFrom('user' as const, 'evaluator' as const),
    createdAt: fc.nat(),
  },
  { requiredKeys: ['id', 'name', 'value', 'source', 'createdAt'] },
);
const content: fc.Arbitrary<SnapshotContent> = fc
  .record({
    messages: fc.array(message, { maxLength: 8 }),
    scores: fc.array(score, { maxLength: 3 }),
  })
  .map(({ messages, scores }): SnapshotContent => {
    const numbered = messages.map((one, index) => stored({ ...one, index }));
    const tools = [{ name: 'search', description: WORD, parameters: { description: WORD } }];
    return { messages: numbered, tools, scores: joinedScores(scores) };
  });

/** Message as it is read from the store. */
function stored(message: object): SnapshotMessage {
  const plain = JSON.parse(JSON.stringify(message)) as SnapshotMessage;
  return { ...plain, hash: messageHashOf(plain) };
}

const hashesOf = ({ messages, scores }: SnapshotContent) => {
  const said = contentHashOf(messages);
  return [said, scoredHashOf(said, scores)];
};

describe('a snapshot whose words have expired', () => {
  it('holds none of them, has the hashes that it had, and expires but once', () => {
    fc.assert(
      fc.property(content, (whole) => {
        const left = withoutWords(whole);
        expect(JSON.stringify(left)).not.toContain(WORD);
        expect(hashesOf(left)).toEqual(hashesOf(whole));
        expect(withoutWords(left)).toEqual(left);
        for (const one of left.messages) SnapshotMessage.parse(one);
        for (const one of left.scores) SnapshotScore.parse(one);
      }),
    );
  });

  it('keeps index, role, place, calls by name, and what is known of how each message was made', () => {
    fc.assert(
      fc.property(content, (whole) => {
        const kept = ({ messages }: SnapshotContent) =>
          messages.map(
            ({ index, role, traceId, spanId, atMs, toolCallId, name, model, durationMs, toolCalls, error }) => [
              ...[index, role, traceId, spanId, atMs, toolCallId, name, model, durationMs, error?.type],
              toolCalls?.map((call) => [call.id, call.name]),
            ],
          );
        expect(kept(withoutWords(whole))).toEqual(kept(whole));
      }),
    );
  });

  it('may keep the words of some messages, and then those of tools and scores as well', () => {
    fc.assert(
      fc.property(
        content.filter(({ messages }) => messages.length > 1),
        (whole) => {
          const left = withoutWords(whole, ({ index }) => index === 0);
          expect(JSON.stringify(left.messages[0])).not.toContain(WORD);
          expect(left.messages.slice(1)).toEqual(whole.messages.slice(1));
          expect([left.tools, left.scores]).toEqual([whole.tools, whole.scores]);
          expect(hashesOf(left)).toEqual(hashesOf(whole));
          expect(hashesOf(withoutWords(left))).toEqual(hashesOf(whole));
        },
      ),
    );
  });
});

describe('the hash of a message', () => {
  it('is not shown to callers', () => {
    fc.assert(
      fc.property(content, ({ messages }) => {
        for (const one of messages.map(shownMessage)) {
          expect(one).not.toHaveProperty('hash');
          ConversationMessage.parse(one);
        }
      }),
    );
  });
});
