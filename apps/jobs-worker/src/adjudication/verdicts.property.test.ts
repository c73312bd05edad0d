import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ConversationMessage } from '@clew/contracts';
import { correctedConversation } from '../test-support/conversations.ts';
import { textsOf } from '@clew/review';
import { verdictsOf, type Candidate, type JudgeAnswer } from './verdicts.ts';

const [template] = correctedConversation().messages as [ConversationMessage];

const messages = fc
  .array(
    fc.record({
      role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const, 'tool' as const),
      content: fc.string({ maxLength: 30 }),
      toolCalls: fc.array(fc.record({ name: fc.string(), arguments: fc.jsonValue() }), { maxLength: 1 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((all) => all.map((each, index): ConversationMessage => ({ ...template, ...each, index })));

/** Possible model answers: exact quotes, cut and changed quotes, quotes of other messages, and invented ones. */
const cases = messages.chain((all) => {
  const place = fc.nat({ max: all.length });
  const fromSomewhere = fc
    .record({ message: fc.constantFrom(...all), from: fc.nat({ max: 30 }), length: fc.nat({ max: 30 }) })
    .map(({ message, from, length }) => (textsOf(message)[0] ?? '').slice(from, from + length));
  const quote = fc.record({ messageIndex: place, quote: fc.oneof(fromSomewhere, fc.string()) });
  const verdict = fc.record({
    candidate: fc.integer({ min: -1, max: 4 }),
    verdict: fc.constantFrom('confirmed' as const, 'refuted' as const, 'unclear' as const),
    because: fc.string({ maxLength: 2_000 }),
    quotes: fc.array(quote, { maxLength: 3 }),
  });
  const candidate = fc.record({ evidence: fc.array(place, { minLength: 1, maxLength: 2 }) });
  return fc.record({
    all: fc.constant(all),
    answer: fc.record({ verdicts: fc.array(verdict, { maxLength: 5 }) }),
    candidates: fc
      .array(candidate, { minLength: 1, maxLength: 3 })
      .map((some) => some.map(({ evidence }, index) => candidateAt(`cluster ${index}`, evidence))),
  });
});

function candidateAt(clusterFingerprint: string, steps: readonly number[]): Candidate {
  const evidence = steps.map((stepIndex) => ({ stepIndex, quotes: [] }));
  return { clusterFingerprint, title: 'A problem', summary: 'It is suspected', evidence };
}

describe('whatever a judge answers', () => {
  it('each candidate has one verdict, which rests on exact quotes of the messages that they name, or is none', () => {
    fc.assert(
      fc.property(cases, fc.boolean(), ({ all, answer, candidates }, mayRefute) => {
        const verdicts = verdictsOf(answer, candidates, all, mayRefute);
        if (!mayRefute) expect(verdicts.map(({ verdict }) => verdict)).not.toContain('refuted');
        expect(verdicts.map(({ clusterFingerprint }) => clusterFingerprint)).toEqual(
          candidates.map(({ clusterFingerprint }) => clusterFingerprint),
        );
        for (const [index, { verdict, quotes, because }] of verdicts.entries()) {
          expect(because.length).toBeLessThanOrEqual(1_000);
          if (verdict === 'none') {
            expect(quotes).toEqual([]);
            continue;
          }
          expect(quotes.length).toBeGreaterThan(0);
          for (const { stepIndex, quote } of quotes) {
            expect(textsOf(all[stepIndex]!).some((text) => text.includes(quote))).toBe(true);
          }
          const steps = candidates[index]!.evidence.map(({ stepIndex }) => stepIndex);
          expect(quotes.some(({ stepIndex }) => steps.includes(stepIndex))).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a verdict', () => {
  const chat = correctedConversation().messages;
  const candidates = [candidateAt('cluster', [1, 2])];
  const RIGHT = { messageIndex: 2, quote: "No, that's wrong." };

  function verdictFor(
    quotes: JudgeAnswer['verdicts'][number]['quotes'],
    said: 'confirmed' | 'refuted' = 'confirmed',
    all = chat,
  ) {
    const [verdict] = verdictsOf(
      { verdicts: [{ candidate: 1, verdict: said, because: 'So', quotes }] },
      candidates,
      all,
      true,
    );
    return verdict?.verdict;
  }

  it('with exact quotes counts', () => {
    expect(verdictFor([RIGHT])).toBe('confirmed');
    expect(verdictFor([RIGHT, { messageIndex: 3, quote: 'it is on Friday' }], 'refuted')).toBe('refuted');
  });

  it.each([
    ['without quotes', []],
    ['with an invented quote', [{ messageIndex: 2, quote: 'You are completely wrong.' }]],
    ['with an invented quote beside a right one', [RIGHT, { messageIndex: 1, quote: 'It is on Monday.' }]],
    ['with a quote of another message than the named one', [RIGHT, { messageIndex: 1, quote: "No, that's wrong." }]],
    ['with another spelling', [{ messageIndex: 2, quote: 'no, that’s wrong.' }]],
    ['with a quote of a message that does not exist', [{ messageIndex: 99, quote: "No, that's wrong." }]],
    ['with a few characters that occur anywhere', [{ messageIndex: 2, quote: 'No' }]],
    ['with quotes of other messages alone', [{ messageIndex: 3, quote: 'it is on Friday' }]],
  ])('%s is none', (_name, quotes) => {
    expect(verdictFor(quotes)).toBe('none');
  });

  it('that refutes by what a tool returned alone is none', () => {
    const planted = chat.map((message) => (message.index === 2 ? { ...message, role: 'tool' as const } : message));
    expect(verdictFor([RIGHT], 'refuted', planted)).toBe('none');
    expect(verdictFor([RIGHT], 'confirmed', planted)).toBe('confirmed');
  });

  it('that refutes what may not be refuted is none, and one that confirms it counts', () => {
    const said = (verdict: 'confirmed' | 'refuted') =>
      verdictsOf({ verdicts: [{ candidate: 1, verdict, because: 'So', quotes: [RIGHT] }] }, candidates, chat, false);
    expect(said('refuted')).toMatchObject([{ verdict: 'none', quotes: [] }]);
    expect(said('confirmed')).toMatchObject([{ verdict: 'confirmed' }]);
  });

  it('given twice, or for nobody, is none', () => {
    const said = { candidate: 1, verdict: 'confirmed' as const, because: 'So', quotes: [RIGHT] };
    expect(verdictsOf({ verdicts: [said, said] }, candidates, chat, true)).toMatchObject([{ verdict: 'none' }]);
    expect(verdictsOf({ verdicts: [{ ...said, candidate: 2 }] }, candidates, chat, true)).toMatchObject([
      { verdict: 'none' },
    ]);
  });
});
