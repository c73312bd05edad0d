import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  knowledgeFigures,
  wilsonInterval,
  type JudgedItem,
  type LabelledKnowledge,
  type TaughtLabel,
} from './knowledge-figures.ts';
import { mentionsAll } from './mentions.ts';

/** Statement said in message 3 at characters 10 to 50, and in other words in message 4 at 0 to 30. */
const REFUNDS: TaughtLabel = {
  kind: 'policy',
  places: [
    { messageIndex: 3, startChar: 10, endChar: 50, mentions: ['1,000', 'Marta'] },
    { messageIndex: 4, startChar: 0, endChar: 30, mentions: ['Marta'] },
  ],
};
const DOOR: TaughtLabel = {
  kind: 'preference',
  places: [{ messageIndex: 5, startChar: 0, endChar: 20, mentions: ['side door'] }],
};
const TAUGHT: LabelledKnowledge = { conversationId: 'taught', labels: [REFUNDS, DOOR] };
const QUIET: LabelledKnowledge = { conversationId: 'quiet', labels: [] };
const CONTENT = 'Refunds above 1000 euros are approved by Marta.';

function item(
  [messageIndex, startChar, endChar]: readonly [number, number, number],
  { content = CONTENT, kind = 'policy' as JudgedItem['kind'], conversationId = 'taught' } = {},
): JudgedItem {
  const evidence = [{ conversationId, messageIndex, startChar, endChar }];
  return { kind, content, sourceConversationId: conversationId, evidence };
}

describe('an item is right where a label says the same', () => {
  it.each<readonly [string, JudgedItem, number]>([
    ['its quote is the words of the label', item([3, 10, 50]), 1],
    ['its quote is the sentence around them', item([3, 0, 80]), 1],
    ['its quote is half of them', item([3, 30, 90]), 1],
    ['its quote is less than half of them', item([3, 31, 90]), 0],
    ['its quote stands beside them', item([3, 50, 90]), 0],
    ['its quote is in the same place of another message', item([2, 10, 50]), 0],
    ['its quote is in the same place of another conversation', item([3, 10, 50], { conversationId: 'quiet' }), 0],
    ['its content lacks a number', item([3, 10, 50], { content: 'Large refunds are approved by Marta.' }), 0],
    ['its content has another number', item([3, 10, 50], { content: 'Above 100 euros Marta approves.' }), 0],
    ['another place asks for less', item([4, 0, 30], { content: 'Large refunds are approved by Marta.' }), 1],
    ['its kind is another', item([3, 10, 50], { kind: 'fact' }), 1],
  ])('%s', (_, one, right) => {
    const figures = knowledgeFigures([TAUGHT, QUIET], [one]);
    expect(figures.precision).toMatchObject({ right, of: 1, share: right });
    expect(figures.recall).toMatchObject({ found: right, of: 2, share: right / 2 });
    expect(figures.sameKind).toBe(right === 1 && one.kind === 'policy' ? 1 : 0);
  });
});

describe('the figures', () => {
  it('count an item that says two labels once, and a label that two items say once', () => {
    const both = item([3, 10, 50], { content: `${CONTENT} Use the side door.` });
    const two: JudgedItem = { ...both, evidence: [...both.evidence, ...item([5, 0, 20]).evidence] };
    const figures = knowledgeFigures([TAUGHT], [two, item([4, 0, 30]), item([9, 0, 30])]);
    expect(figures.precision).toMatchObject({ right: 2, of: 3, share: 0.667 });
    expect(figures.recall).toMatchObject({ found: 2, of: 2, share: 1 });
    expect(figures.byKind).toEqual({ policy: { labels: 1, found: 1 }, preference: { labels: 1, found: 1 } });
  });

  it('of nothing are no share, and leave everything possible', () => {
    const figures = knowledgeFigures([TAUGHT, QUIET], []);
    expect(figures.precision).toMatchObject({ right: 0, of: 0, share: null, wilson: [0, 1] });
    expect(figures.recall).toMatchObject({ found: 0, of: 2, share: 0 });
  });

  it('count what was put in, whatever the mixture and its order, within their intervals', () => {
    const conversation = fc.array(fc.record({ isFound: fc.boolean(), kind: fc.constantFrom('fact', 'policy') }), {
      maxLength: 4,
    });
    const mixture = fc.array(fc.record({ labels: conversation, wrong: fc.nat(3) }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(mixture, fc.boolean(), (mixed, isReversed) => {
        const conversations = mixed.map(({ labels }, index) => ({
          conversationId: `c${index}`,
          labels: labels.map(({ kind }, at) => labelAt(at, kind)),
        }));
        const items = mixed.flatMap(({ labels, wrong }, index) => {
          const options = { conversationId: `c${index}`, content: 'It is 7.' };
          const right = labels.flatMap(({ isFound }, at) => (isFound ? [item([at, 0, 20], options)] : []));
          return [...right, ...Array.from({ length: wrong }, () => item([90, 0, 20], options))];
        });
        const figures = knowledgeFigures(conversations, isReversed ? items.toReversed() : items);
        const found = mixed.flatMap(({ labels }) => labels).filter(({ isFound }) => isFound).length;
        const labels = mixed.reduce((sum, one) => sum + one.labels.length, 0);
        expect(figures.precision).toMatchObject({ right: found, of: items.length });
        expect(figures.recall).toMatchObject({ found, of: labels });
        for (const { share, wilson, of } of [figures.precision, figures.recall]) {
          expect(share).toBe(of === 0 ? null : Math.round((found / of) * 1000) / 1000);
          expect(wilson[0]).toBeLessThanOrEqual(share ?? 0);
          expect(wilson[1]).toBeGreaterThanOrEqual(share ?? 1);
        }
      }),
      { numRuns: 30 },
    );
  }, 30_000);

  it('vary with the conversations that are drawn, not with the items of one', () => {
    const labels = [labelAt(0, 'fact')];
    const conversations = ['a', 'b', 'c', 'd'].map((conversationId) => ({ conversationId, labels }));
    const said = (conversationId: string, at: number) => item([at, 0, 20], { conversationId, content: 'It is 7.' });
    const halfOfEach = conversations.flatMap((one) => [said(one.conversationId, 0), said(one.conversationId, 1)]);
    const halfOfThem = conversations.flatMap(({ conversationId }, index) =>
      [0, 1].map(() => said(conversationId, index % 2)),
    );
    expect(knowledgeFigures(conversations, halfOfEach).precision.overConversations).toEqual([0.5, 0.5]);
    expect(knowledgeFigures(conversations, halfOfThem).precision.overConversations).toEqual([0, 1]);
  });
});

function labelAt(messageIndex: number, kind: string): TaughtLabel {
  const place = { messageIndex, startChar: 0, endChar: 20, mentions: ['7'] };
  return { kind: kind as TaughtLabel['kind'], places: [place] };
}

describe("Wilson's interval", () => {
  // Textbook values, with z = 1.96.
  it.each([
    [8, 10, [0.49, 0.943]],
    [0, 10, [0, 0.278]],
    [10, 10, [0.722, 1]],
    [50, 100, [0.404, 0.596]],
  ] as const)('of %d of %d', (hits, count, expected) => {
    expect(wilsonInterval(hits, count)).toEqual(expected);
  });
});

describe('numbers and names', () => {
  it.each([
    ['Purchases above 1000 euros need 2 quotes', ['1,000', 'two quotes'], true],
    ['The bracket ends at 44,725.', ['44_725'], true],
    ['The rate is 0.12', ['0.12'], true],
    ['The rate is 0.012', ['0.12'], false],
    ['Open HTTP://192.168.7.1 first', ['192.168.7.1'], true],
    ['Closed on friday at 13:00', ['13:00', 'Fridays'], true],
    ['Closed on Fridays at 3:00', ['13:00'], false],
    ['Mill or Street', ['Mill Street'], false],
    ['le réseau Invité', ['invité'], true],
  ])('%s: %j', (text, mentions, expected) => {
    expect(mentionsAll(text, mentions)).toBe(expected);
  });
});
