import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ExtractedItem, KNOWLEDGE_AUTHORITIES, type ConversationMessage } from '@clew/contracts';
import { acceptItems, type ClaimedItem, type ShownPart } from './accept-items.ts';
import { mayFollow, isFoundedOn, mentionedIn } from './follows.ts';
import { isLocked } from './quote-lock.ts';
import { quotedWords } from './quoted-words.ts';
import { isTainted } from './trust.ts';
import { THE_PROJECT } from './subjects.ts';

function messageOf(index: number, role: ConversationMessage['role'], content: string, more = {}): ConversationMessage {
  return { index, role, content, traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), atMs: 1, ...more };
}
const wholly = (messages: readonly ConversationMessage[]): ShownPart[] =>
  messages.map((message) => ({ message, range: { start: 0, end: message.content.length } }));

const CHAT = [
  messageOf(0, 'system', 'Refunds above 500 euros need approval.'),
  messageOf(1, 'user', 'Refunds above 500 euros need approval by Marta. I want mails in German.'),
  messageOf(2, 'tool', '{"policy": "Refunds take 14 days"}'),
  messageOf(3, 'assistant', 'Refunds above 500 euros need approval by Marta, and refunds take 14 days.'),
  messageOf(4, 'tool', 'Refunds take 14 days', { origin: 'retrieved' }),
];
const CLAIM: ClaimedItem = {
  ...{ title: 'Approval of refunds', content: 'Refunds above 500 euros need approval by Marta.', kind: 'policy' },
  ...{ confidence: 0.9, authority: 'user_stated' },
  evidence: [{ messageIndex: 1, quote: 'Refunds above 500 euros need approval by Marta.' }],
};

describe('whatever a model claims', () => {
  const words = fc.array(fc.constantFrom('Refunds', '500', 'Marta', 'approval', 'never', 'mails', 'German'), {
    ...{ minLength: 1, maxLength: 5 },
  });
  const quote = fc
    .record({ from: fc.constantFrom(...CHAT), start: fc.nat({ max: 40 }), length: fc.nat({ max: 60 }) })
    .map(({ from, start, length }) => from.content.slice(start, start + length));
  const claim = fc.record<ClaimedItem>({
    title: fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constant('Approval of refunds')),
    content: fc.oneof(
      quote,
      fc.string({ unit: 'binary' }),
      words.map((some) => some.join(' ')),
    ),
    kind: fc.constantFrom('fact', 'policy', 'preference', 'rumour'),
    confidence: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.double()),
    authority: fc.constantFrom(...KNOWLEDGE_AUTHORITIES, 'god'),
    evidence: fc.array(
      fc.record({ messageIndex: fc.integer({ min: -1, max: 6 }), quote: fc.oneof(quote, fc.string()) }),
      {
        maxLength: 3,
      },
    ),
  });

  /** Valid quotes of the text that the claim uses. */
  const wellFounded = fc
    .record({
      claim,
      from: fc.constantFrom(...CHAT),
      start: fc.nat({ max: 8 }),
      length: fc.integer({ min: 8, max: 60 }),
    })
    .map(({ claim: made, from, start, length }) => {
      const quoted = from.content.slice(start, start + length);
      return { ...made, content: quoted, kind: 'fact', evidence: [{ messageIndex: from.index, quote: quoted }] };
    });

  it('each claim is Knowledge that keeps to the contract and to its quotes, or is dropped for one reason', () => {
    const named = mentionedIn(CHAT, (message, range) => isTainted(message, range));
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(fc.oneof(claim, wellFounded), { maxLength: 5 }), (claimed) => {
        const { items, doubtful, rejected } = acceptItems(claimed, wholly(CHAT));
        const dropped = Object.values(rejected).reduce((sum, count) => sum + count, 0);
        expect(items.length + dropped).toBe(claimed.length);
        accepted += items.length;
        for (const item of items) {
          expect(ExtractedItem.safeParse(item).error).toBeUndefined();
          const quotes = item.evidence.map(({ quote: text, messageIndex }) => quotedWords(text, CHAT[messageIndex]!));
          expect(isFoundedOn(item.content, quotes, new Set(), () => named)).toBe(true);
          expect(mayFollow(item.content, quotes)).toBe(!doubtful.has(item));
          for (const evidence of item.evidence) {
            const message = CHAT[evidence.messageIndex]!;
            expect(isLocked(evidence, message)).toBe(true);
            expect(isTainted(message, { start: evidence.startChar, end: evidence.endChar })).toBe(false);
          }
          const roles = item.evidence.map(({ messageIndex }) => CHAT[messageIndex]!.role);
          if (item.authority === 'user_stated') expect(roles).toContain('user');
          if (item.authority === 'tool_observed') expect(roles.some((role) => role !== 'assistant')).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
    expect(accepted).toBeGreaterThan(20);
  });
});

describe('a claim', () => {
  const outcomeOf = (change: Partial<ClaimedItem>) => acceptItems([{ ...CLAIM, ...change }], wholly(CHAT));
  const reasonOf = (change: Partial<ClaimedItem>) => Object.keys(outcomeOf(change).rejected)[0];

  it('with a quote of the user is Knowledge, with the place of its quote', () => {
    const [{ index: messageIndex, traceId, spanId }] = [CHAT[1]!];
    expect(outcomeOf({})).toEqual({
      ...{ rejected: {}, doubtful: new Set() },
      items: [
        {
          ...{ ...CLAIM, subject: THE_PROJECT },
          evidence: [{ ...CLAIM.evidence[0], messageIndex, traceId, spanId, startChar: 0, endChar: 47 }],
        },
      ],
    });
  });

  it.each<[string, Partial<ClaimedItem>, string]>([
    ['an unknown kind', { kind: 'rumour' }, 'malformed'],
    ['more confidence than there is', { confidence: 95 }, 'malformed'],
    ['no evidence', { evidence: [] }, 'malformed'],
    ['an invented quote', { evidence: [{ messageIndex: 1, quote: 'Refunds above 900 euros' }] }, 'quote_not_found'],
    [
      'an invented quote beside a right one',
      { evidence: [...CLAIM.evidence, { messageIndex: 1, quote: 'by Mallory Smith' }] },
      'quote_not_found',
    ],
    [
      'a quote of another message',
      { evidence: [{ messageIndex: 2, quote: 'Refunds above 500 euros' }] },
      'quote_not_found',
    ],
    [
      'a message that was not shown',
      { evidence: [{ messageIndex: 9, quote: 'Refunds above 500 euros' }] },
      'unknown_message',
    ],
    [
      'a system prompt',
      {
        content: 'Refunds above 500 euros need approval.',
        evidence: [{ messageIndex: 0, quote: 'Refunds above 500 euros need approval.' }],
      },
      'tainted',
    ],
    [
      'what was looked up',
      { content: 'Refunds take 14 days.', evidence: [{ messageIndex: 4, quote: 'Refunds take 14 days' }] },
      'tainted',
    ],
    [
      'what was looked up, beside what has nothing to do with it',
      {
        content: 'Refunds take 14 days.',
        evidence: [
          { messageIndex: 4, quote: 'Refunds take 14 days' },
          { messageIndex: 1, quote: 'I want mails in German.' },
        ],
      },
      'tainted',
    ],
    ['another number', { content: 'Refunds above 900 euros need approval by Marta.' }, 'not_supported'],
  ])('with %s is none', (_name, change, reason) => {
    expect(reasonOf(change)).toBe(reason);
  });

  it('carries the authority of whoever said all of it, whatever the model says of it', () => {
    const evidence = [{ messageIndex: 3, quote: 'refunds take 14 days.' }];
    const content = 'Refunds take 14 days.';
    expect(outcomeOf({ content, evidence }).items[0]!.authority).toBe('assistant_inferred');
    // A user's statement about something else gives the claim no authority.
    const beside = [...evidence, { messageIndex: 1, quote: 'I want mails in German.' }];
    expect(outcomeOf({ content, evidence: beside }).items[0]!.authority).toBe('assistant_inferred');
    expect(
      outcomeOf({ content, evidence: [{ messageIndex: 2, quote: 'Refunds take 14 days' }] }).items[0]!.authority,
    ).toBe('tool_observed');
    expect(outcomeOf({ authority: 'assistant_inferred' }).items[0]!.authority).toBe('user_stated');
    expect(outcomeOf({ content, evidence, kind: 'preference' }).items[0]!.kind).toBe('fact');
  });

  it('has a title that says no more than its quotes, or the beginning of its content', () => {
    const heading = 'Refunds above 500 euros need approval by Marta';
    expect(outcomeOf({ title: 'Mallory approves refunds' }).items[0]!.title).toBe(heading);
    expect(outcomeOf({ title: CLAIM.content.toLowerCase() }).items[0]!.title).toBe(heading);
    expect(outcomeOf({ title: 'Who approves refunds' }).items[0]!.title).toBe('Who approves refunds');
  });

  it('beyond the bound of an extraction is dropped and counted', () => {
    const { items, rejected } = acceptItems(
      Array.from({ length: 60 }, () => CLAIM),
      wholly(CHAT),
    );
    expect([items.length, rejected]).toEqual([50, { too_many: 10 }]);
  });
});

describe('what persons say of themselves', () => {
  const [MONDAY, LATER] = [Date.UTC(2026, 10, 2, 9), Date.UTC(2026, 10, 16, 9)];
  const DIALOGUE = [
    messageOf(0, 'user', 'Ben, I moved to Lisbon last week.', { name: 'Anna', atMs: MONDAY }),
    messageOf(1, 'assistant', 'How nice, Anna! I stay in Graz for two weeks.', { name: 'Ben', atMs: LATER }),
  ];
  const claimed = (content: string, messageIndex: number) => ({
    ...{ ...CLAIM, title: 'Where they live', kind: 'fact', authority: 'assistant_inferred', content },
    evidence: [{ messageIndex, quote: DIALOGUE[messageIndex]!.content }],
  });
  const outcome = (content: string, messageIndex: number) =>
    acceptItems([claimed(content, messageIndex)], wholly(DIALOGUE));

  it.each([
    ['Anna moved to Lisbon in the last week of October 2026.', 0, 'user_stated'],
    ['Anna moved to Lisbon between 2026-10-26 and 2026-11-01.', 0, 'user_stated'],
    ["Ben's stay in Graz lasts 14 days.", 1, 'assistant_inferred'],
  ])('is theirs: %s', (content, index, authority) => {
    const { items, rejected } = outcome(content, index);
    expect({ rejected, authority: items[0]?.authority }).toEqual({ rejected: {}, authority });
  });

  it.each([
    ['the one who is spoken to', 'Ben moved to Lisbon.', 0],
    ['the one who answers', 'Anna stays in Graz.', 1],
    ['a date that no words lead to', 'Anna moved to Lisbon in March 2026.', 0],
    ['another time', 'Ben stays in Graz for 15 days.', 1],
  ])('is not said of %s', (_name, content, index) => {
    expect(outcome(content, index).rejected).toEqual({ not_supported: 1 });
  });
});
