import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ConversationMessage } from '@clew/contracts';
import { decodeKeys, joinKeys, messageKeysOf } from '@clew/knowledge';
import { snapshotOf } from '../test-support/extractions.ts';
import {
  answerTokensOf,
  chunkCharactersOf,
  MAX_CHUNKS,
  planExtraction,
  type ExtractionPlan,
} from './plan-extraction.ts';

const said = fc.record({
  role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const, 'tool' as const),
  content: fc.oneof(
    fc.constantFrom('', 'yes', 'thanks'),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.integer({ min: 1_000, max: 15_000 }).map((length) => '😀'.repeat(length / 2)),
  ),
});
const conversation = fc.array(said, { maxLength: 20 }).map((all) => snapshotOf(all).messages);
const contextLength = fc.constantFrom(500, 2_000, 4_000, null);

/** Plans extractions of one conversation, one after the other, until nothing new is left. */
function readThrough(messages: readonly ConversationMessage[], length: number | null): ExtractionPlan[] {
  const plans: ExtractionPlan[] = [];
  let alreadyRead = '';
  do {
    const plan = planExtraction(messages, { alreadyRead, contextLength: length });
    plans.push(plan);
    alreadyRead = joinKeys(alreadyRead, plan.readAfter(plan.chunks.length));
    expect(plans.length).toBeLessThan(50);
  } while (!plans.at(-1)!.isComplete);
  expect(decodeKeys(alreadyRead)).toEqual(new Set(messageKeysOf(messages)));
  return plans;
}

describe('a conversation of any form', () => {
  it('is read to its end, each message as new once and in order, so much in a call and so many calls at a time', () => {
    fc.assert(
      fc.property(conversation, contextLength, (messages, length) => {
        const plans = readThrough(messages, length);
        const fresh = plans.flatMap(({ chunks }) => chunks.flatMap((chunk) => chunk.fresh));
        const isShown = ({ role, content }: ConversationMessage) => role !== 'system' && content !== '';
        expect([...new Set(fresh.map(({ message }) => message))]).toEqual(messages.filter(isShown));
        for (const { chunks } of plans) {
          expect(chunks.length).toBeLessThanOrEqual(MAX_CHUNKS);
          for (const chunk of chunks) {
            const sizes = chunk.fresh.map(({ range }) => range.end - range.start);
            // One character more is allowed, where the limit would split a surrogate pair.
            expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(chunkCharactersOf(length) + 1);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('is shown in whole characters, with little before what is new', () => {
    fc.assert(
      fc.property(conversation, contextLength, (messages, length) => {
        for (const { context, fresh } of readThrough(messages, length).flatMap(({ chunks }) => chunks)) {
          for (const { message, range } of [...context, ...fresh]) {
            const text = message.content.slice(range.start, range.end);
            expect(text.isWellFormed()).toBe(message.content.isWellFormed());
          }
          const before = context.reduce((sum, { range }) => sum + range.end - range.start, 0);
          expect(before).toBeLessThanOrEqual(1_200);
          expect(context.every(({ message }) => message.index < fresh[0]!.message.index)).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('of which all was read, or whose words have expired, has nothing new', () => {
    const { messages } = snapshotOf([{ role: 'user', content: '', textExpired: true }]);
    expect(planExtraction(messages, { alreadyRead: '', contextLength: null })).toMatchObject({
      ...{ newTokens: 0, chunks: [], isComplete: true },
    });
  });
});

it('a message of a million characters is read by its beginning and its end', () => {
  const content = `begin ${'x'.repeat(1_000_000)} end`;
  const { messages } = snapshotOf([{ role: 'tool', content }]);
  const [plan, none] = readThrough(messages, null);
  const shown = plan!.chunks.map(({ fresh: [part] }) => content.slice(part!.range.start, part!.range.end));
  expect(shown).toHaveLength(3);
  expect([shown[0]!.startsWith('begin'), shown[2]!.endsWith('end'), none]).toEqual([true, true, undefined]);
});

it.each([
  [null, 3_000],
  [128_000, 8_000],
  [2_048, 512],
])('with a context of %s tokens an answer has at most %s', (length, most) => {
  expect(answerTokensOf(length)).toBe(most);
});
