import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { textsOf } from './message-texts.ts';
import { checkedProblems } from './problems.ts';
import type { ReviewAnswer } from './review-answer.ts';
import { refundConversation, snapshotOf } from './test-support/conversation.ts';

type Problem = ReviewAnswer['problems'][number];

const snapshot = refundConversation();

function problem(overrides: Partial<Problem> = {}): Problem {
  return {
    ...{ messageIndex: 2, category: 'wrong_argument', severity: 'high', sentence: 'It refunded 30 instead of 20.' },
    ...{ kind: 'refunds another amount than agreed', title: 'support-bot refunds another amount than agreed' },
    quotes: [
      { messageIndex: 2, quote: 'refund({"amount":30})' },
      { messageIndex: 1, quote: 'refund the 20 euros' },
    ],
    ...overrides,
  };
}

function answer(...problems: Problem[]): ReviewAnswer {
  return { account: '', wanted: '', problems, decisiveMessage: null, verdict: 'failed', failureProbability: 0.9 };
}

describe('a problem', () => {
  it('stands on exact quotes, and names who and with which tool', () => {
    const { problems, dropped } = checkedProblems(answer(problem()), snapshot);
    expect(dropped).toBe(0);
    expect(problems).toMatchObject([
      {
        ...{ category: 'wrong_argument', severity: 'high', stepIndex: 2, agent: 'support-bot', tool: 'refund' },
        quotes: [
          { stepIndex: 2, quotes: [{ quote: 'refund({"amount":30})' }] },
          { stepIndex: 1, quotes: [{ quote: 'refund the 20 euros' }] },
        ],
        secondLook: 'not_asked',
      },
    ]);
  });

  it('may quote a call in the frame in which it was shown', () => {
    const quotes = ['(calls refund({"amount":30}))', '(calls refund({"am'].map((quote) => ({ messageIndex: 2, quote }));
    const { problems } = checkedProblems(answer(problem({ quotes })), snapshot);
    expect(problems[0]!.quotes.map((each) => each.quotes[0]!.quote)).toEqual(['refund({"amount":30})', 'refund({"am']);
  });

  it.each<[string, Partial<Problem>]>([
    ['with an invented quote', { quotes: [{ messageIndex: 2, quote: 'refund({"amount":31})' }] }],
    ['that quotes another message than it names', { quotes: [{ messageIndex: 4, quote: 'refund({"amount":30})' }] }],
    ['without a quote', { quotes: [] }],
    ['of an unknown category', { category: 'bad_luck' }],
    ['of an unknown severity', { severity: 'critical' }],
    ['in a message that does not exist', { messageIndex: 9 }],
    ['that only others said', { quotes: [{ messageIndex: 1, quote: 'refund the 20 euros' }] }],
    ['with a quote of a few letters', { quotes: [{ messageIndex: 4, quote: 'to' }] }],
  ])('%s is dropped, and counted', (_name, overrides) => {
    expect(checkedProblems(answer(problem(overrides), problem()), snapshot)).toMatchObject({
      problems: [{ stepIndex: 2 }],
      dropped: 1,
    });
  });

  it('beyond the fifth is dropped', () => {
    const many = answer(...Array.from({ length: 8 }, () => problem()));
    expect(checkedProblems(many, snapshot)).toMatchObject({ problems: { length: 5 }, dropped: 3 });
  });

  it('quotes no secret', () => {
    const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789';
    const told = snapshotOf([{ role: 'assistant', content: `The key of your account is ${key} and nothing else.` }]);
    const quotes = [{ messageIndex: 0, quote: `account is ${key} and nothing else` }];
    const { problems } = checkedProblems(answer(problem({ messageIndex: 0, quotes })), told);
    expect(JSON.stringify(problems)).not.toContain(key.slice(10));
  });

  it('has a title without details of one conversation', () => {
    const titled = checkedProblems(answer(problem({ title: 'Refund of 30 instead of 20 for order W42' })), snapshot);
    expect(titled.problems[0]!.title).toBe('refunds another amount than agreed');
  });

  it('never quotes what is not in the conversation, whatever the answer', () => {
    const place = fc.integer({ min: -1, max: 6 });
    const words = fc.constantFrom(...snapshot.messages.flatMap(textsOf).filter((text) => text !== ''));
    const quote = fc.oneof(
      fc.string(),
      words,
      words.map((text) => text.slice(3, 20)),
    );
    const anything = fc.record({
      ...{ messageIndex: place, category: fc.constantFrom('other', 'x'), severity: fc.constantFrom('low', 'y') },
      ...{ sentence: fc.string(), kind: fc.string(), title: fc.string() },
      quotes: fc.array(fc.record({ messageIndex: place, quote }), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 7 }), (all) => {
        const { problems, dropped } = checkedProblems(answer(...all), snapshot);
        expect(problems.length + dropped).toBe(all.length);
        for (const { quotes } of problems) {
          expect(quotes.some(({ stepIndex }) => snapshot.messages[stepIndex]!.role === 'assistant')).toBe(true);
          for (const { stepIndex, quotes: own } of quotes)
            for (const { quote: said } of own)
              expect(textsOf(snapshot.messages[stepIndex]!).some((text) => text.includes(said))).toBe(true);
        }
      }),
    );
  });
});
