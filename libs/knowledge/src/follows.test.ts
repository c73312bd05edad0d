import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isFoundedOn, mayFollow, mentionedIn, namesOnlyGiven } from './follows.ts';
import { listenersIn } from './listeners.ts';
import { quotedWords } from './quoted-words.ts';

describe('a statement that a model judges', () => {
  const quote = {
    text: 'The launch of the bag is on 29 June, I do the texts',
    speaker: 'Anna Kowalska',
    atMs: Date.UTC(2026, 4, 20),
  };
  const people = new Set(['anna', 'kowalska', 'ben', 'smith']);
  const mentioned = () => mentionedIn([{ content: 'We call the bag Heron' }, { content: 'Ben asked me' }], () => false);

  it.each([
    ['a name that another message says', 'Anna Kowalska does the texts of the Heron bag'],
    ['the year and the weekday of a date', 'The launch of the bag is on Monday 29 June 2026'],
    ['the day on which it was said', 'As of 20 May 2026 the launch of the bag is on 29 June'],
  ])('may have %s', (_name, statement) => {
    expect(isFoundedOn(statement, [quote], people, mentioned)).toBe(true);
  });

  it.each([
    ['the name of another speaker', 'Ben Smith does the texts of the bag'],
    ['a name that nobody says', 'Anna Kowalska does the texts of the Egret bag'],
    ['another year', 'The launch of the bag is on 29 June 2028'],
    ['another day', 'As of 21 May 2026 the launch of the bag is on 29 June'],
  ])('has never %s', (_name, statement) => {
    expect(isFoundedOn(statement, [quote], people, mentioned)).toBe(false);
  });

  it('has no name of another message where words alone decide', () => {
    expect(mayFollow('Anna Kowalska does the texts of the Heron bag', [quote], people)).toBe(false);
  });
});

describe('a statement about the one who is spoken to', () => {
  const [ANNA, BEN, CARL] = ['Anna Kowalska', 'Ben Smith', 'Carl Otto'].map(
    (name) => ({ role: 'user', name }) as const,
  );
  const people = new Set(['anna', 'kowalska', 'ben', 'smith', 'carl', 'otto']);
  const isFounded = (statement: string, text: string, speakers: (typeof ANNA)[]) => {
    const quote = quotedWords(text, { ...ANNA!, atMs: Date.UTC(2026, 4, 20) }, listenersIn(speakers as never));
    return isFoundedOn(statement, [quote], people, () => new Set());
  };

  it('may name that one where two speak and the words say "you"', () => {
    expect(isFounded('Ben Smith leaves the flat', 'so you leave the flat', [ANNA, BEN])).toBe(true);
    expect(isFounded('Ben Smith verlässt die Wohnung', 'dann verlässt du die Wohnung', [ANNA, BEN])).toBe(true);
  });

  it('may name both where two speak and the words say "we", and the one who is greeted', () => {
    expect(isFounded('Anna Kowalska and Ben Smith leave the flat', 'so we leave the flat', [ANNA, BEN])).toBe(true);
    const greeting = 'Hello Ben, news of the flat: it gets a new lock';
    expect(isFounded('The flat of Ben Smith gets a new lock', greeting, [ANNA, BEN])).toBe(true);
  });

  it.each([
    ['the words speak of the speaker alone', 'I leave the flat', [ANNA, BEN]],
    ['the speaker speaks of himself to that one', 'Ben, I leave the flat', [ANNA, BEN]],
    ['a third one speaks, who may be meant', 'so you leave the flat', [ANNA, BEN, CARL]],
    ['nobody else speaks', 'so you leave the flat', [ANNA]],
  ])('names nobody where %s', (_name, text, speakers) => {
    expect(isFounded('Ben Smith leaves the flat', text, speakers)).toBe(false);
  });

  it('names nobody where words alone decide', () => {
    const quote = { text: 'so you leave the flat', speaker: 'Anna Kowalska', listener: 'Ben Smith' };
    expect(mayFollow('Ben Smith leaves the flat', [quote], people)).toBe(false);
  });
});

describe('a date', () => {
  const quote = (text: string) => quotedWords(text, { role: 'user', name: 'Anna', atMs: Date.UTC(2026, 4, 20) });
  it.each([
    ['Timo begins in January 2027', 'Timo kann erst im Januar anfangen, he begins then'],
    ['There is noise since Easter 2026', 'there is noise since Easter'],
  ])('may have its year, and another language: %s', (statement, text) => {
    expect(isFoundedOn(statement, [quote(text)], new Set(), () => new Set())).toBe(true);
    expect(isFoundedOn(statement.replace(/202\d/, '2031'), [quote(text)], new Set(), () => new Set())).toBe(false);
  });
});

describe('a statement', () => {
  it.each([
    [
      'Refunds above 500 euros need approval by Marta Lindqvist.',
      'refunds above 500 euros need an approval by Marta Lindqvist',
    ],
    ['The customer prefers delivery on Friday evenings.', "I'd like the delivery on Friday evenings please"],
    ['Orders over 1,000 kg ship by rail.', 'orders of over 1000 kg we ship by rail'],
    ['Three approvals are needed.', 'you need 3 approvals for it'],
    ['Opened items are never refunded.', 'we never refund opened items'],
    ['Delivery is on Friday, not on Tuesday.', "No, that's not right. Delivery is on Friday, not on Tuesday."],
    ['Delivery is on Friday.', "No, that's wrong. The delivery is on Friday."],
    ['Rechnungen gehen an Frau Özdemir.', 'die Rechnungen gehen an Frau Özdemir'],
    ['退款需要经理批准', '所有退款需要经理批准才可以'],
  ])('that follows: %s', (statement, quote) => {
    expect(mayFollow(statement, [{ text: quote }])).toBe(true);
  });

  it.each([
    ['with another number', 'Refunds above 900 euros need approval.', 'refunds above 500 euros need approval'],
    ['with a number of its own', 'Refunds need approval within 3 days.', 'refunds need approval within days'],
    ['with another name', 'Refunds need approval by Mallory Smith.', 'refunds need an approval by Marta Smith'],
    ['with another name at its beginning', 'Mallory approves refunds.', 'refunds need an approval by Marta Smith'],
    ['with an address of its own', 'Send invoices to eve@evil.example', 'please send the invoices to me'],
    ['with a negation of its own', 'Opened items are not refunded.', 'opened items are refunded'],
    ['without the negation', 'Opened items are refunded.', 'we never refund opened items'],
    ['about something else', 'All transfers go to the attacker.', 'Which day is the delivery?'],
    ['in Chinese about something else', '把密码发给我们', '所有退款需要经理批准才可以'],
    ['that says nothing', 'The user wants it.', 'I want it now please'],
  ])('%s does not follow', (_name, statement, quote) => {
    expect(mayFollow(statement, [{ text: quote }])).toBe(false);
  });

  it('never has a number that its quotes lack, and never follows from nothing', () => {
    const word = fc.constantFrom('refund', 'orders', 'delivery', 'Marta', 'approval', '12', '500', '3.5', 'not');
    const sentence = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(sentence, fc.array(sentence, { maxLength: 3 }), (statement, quotes) => {
        if (
          !mayFollow(
            statement,
            quotes.map((text) => ({ text })),
          )
        )
          return;
        expect(quotes.length).toBeGreaterThan(0);
        const shown = new Set(quotes.join(' ').split(' '));
        for (const part of statement.split(' ')) if (/\d/.test(part) || part === 'not') expect(shown).toContain(part);
      }),
      { numRuns: 500 },
    );
  });

  it('of any form is judged, and in a time that grows with its length alone', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        (said, quote) => void mayFollow(said, [{ text: quote }]),
      ),
    );
    const started = performance.now();
    for (const part of ['a-', 'A.', '1,000', "don't ", 'от', '..'])
      mayFollow(part.repeat(4_000 / part.length), [{ text: part.repeat(40_000 / part.length) }]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('numbers and names alone', () => {
  const quotes = [{ text: 'The bag of Anna costs 20 euros, in two weeks' }];
  const mentioned = () => mentionedIn([{ content: 'It is the Heron bag' }], () => false);

  it.each([
    ['other words', 'Shall I go on and ask somebody?'],
    ['what was given', 'Tell Anna that it is 20 euros after 14 days'],
    ['what is mentioned elsewhere', 'Is it the Heron?'],
  ])('may be said with %s', (_name, statement) => {
    expect(namesOnlyGiven(statement, quotes, mentioned)).toBe(true);
  });

  it.each([
    ['a number', 'It is 21 euros'],
    ['a name', 'Tell Mallory that it is 20 euros'],
    ['what nobody mentioned', 'Is it the Osprey?'],
  ])('are missed: %s', (_name, statement) => {
    expect(namesOnlyGiven(statement, quotes, mentioned)).toBe(false);
    expect(namesOnlyGiven(statement, [])).toBe(false);
  });
});

describe('a text that is one word', () => {
  /** More than what a pattern without bounds can keep of a text with characters beyond Latin-1. */
  const LENGTH = 4_300_000;

  it.each([
    ['letters', 'x'],
    ['digits', '1'],
  ])(
    'may be as long as a message: %s',
    (_name, part) => {
      const text = `– ${part.repeat(LENGTH)}`;
      expect(namesOnlyGiven('parcels are free', [{ text }])).toBe(true);
    },
    60_000,
  );

  it('may be as long as a message: a name', () => {
    const name = `– ${'X'.repeat(LENGTH)}`;
    expect(mentionedIn([{ content: name }], () => false).size).toBe(2);
  });
});
