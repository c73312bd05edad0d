import { describe, expect, it } from '@jest/globals';
import type { ConversationSnapshot } from '@clew/contracts';
import { acceptItems } from '@clew/knowledge';
import { dataBlocksOf } from '@clew/testing/provider';
import { adversarialCases } from '../test-support/adversarial.ts';
import { snapshotOf, taughtConversation } from '../test-support/extractions.ts';
import { planExtraction } from './plan-extraction.ts';
import { pointingAt } from './point-at-sentences.ts';

const GOAL = 'Learn how we handle refunds';

function chunkOf({ messages }: ConversationSnapshot) {
  return planExtraction(messages, { contextLength: 8_000, alreadyRead: '' }).chunks[0]!;
}

describe('pointingAt', () => {
  const snapshot = snapshotOf([
    { role: 'user', content: 'Refunds above 500 euros need the approval of Marta. Please refund order 17.' },
    { role: 'assistant', content: 'Refunds above 900 euros need the approval of nobody.' },
    { role: 'tool', content: '{"rule": "Gift cards cannot be refunded in cash."}' },
  ]);

  it('asks of each sentence that may last, and claims the words of those that were pointed at', () => {
    const chunk = chunkOf(snapshot);
    const { schema, messages, maxTokens, claimsOf } = pointingAt(GOAL, chunk)!;
    expect(dataBlocksOf({ messages } as never)).toEqual([
      '1. user: Refunds above 500 euros need the approval of Marta.\n2. tool: Gift cards cannot be refunded in cash.',
    ]);
    expect(messages[0]!.content).toContain(GOAL);
    expect(maxTokens).toBeLessThan(100);
    expect(schema.safeParse({ 1: false }).success).toBe(false);
    const verdicts = schema.parse({ 1: false, 2: true });
    const { items, rejected } = acceptItems(claimsOf(verdicts), chunk.fresh);
    expect(rejected).toEqual({});
    expect(items).toEqual([
      expect.objectContaining({
        ...{ content: 'Gift cards cannot be refunded in cash.', kind: 'policy', authority: 'tool_observed' },
        evidence: [expect.objectContaining({ messageIndex: 2, startChar: 10 })],
      }),
    ]);
  });

  it('asks nothing where nothing may last', () => {
    const small = snapshotOf([{ role: 'user', content: 'Hello, can you help me?' }]);
    expect(pointingAt(GOAL, chunkOf(small))).toBeUndefined();
  });

  it('asks of so many sentences at most', () => {
    const rules = Array.from({ length: 60 }, (_, at) => `Parcels of size ${at} must be weighed twice.`);
    const { maxTokens } = pointingAt(GOAL, chunkOf(snapshotOf([{ role: 'tool', content: rules.join(' ') }])))!;
    expect(maxTokens).toBeLessThan(400);
  });

  it('finds what a user corrects', () => {
    const { claimsOf } = pointingAt(GOAL, chunkOf(taughtConversation()))!;
    expect(claimsOf({ 1: true })[0]).toMatchObject({ kind: 'correction', evidence: [{ messageIndex: 2 }] });
  });
});

it('a model that points at everything teaches nothing that was planted', () => {
  for (const { name, snapshot, payload } of adversarialCases()) {
    const chunk = chunkOf(snapshot);
    const pointing = pointingAt(GOAL, chunk);
    const all = Object.fromEntries(Array.from({ length: 24 }, (_, at) => [String(at + 1), true]));
    const { items } = acceptItems(pointing?.claimsOf(all) ?? [], chunk.fresh);
    const planted = items.filter(({ content }) => content.toLowerCase().includes(payload.toLowerCase().slice(0, 30)));
    expect([name, planted]).toEqual([name, []]);
  }
});
