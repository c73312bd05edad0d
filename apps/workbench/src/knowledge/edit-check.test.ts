import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { unquotedTerms } from './edit-check.ts';

const QUOTES = ['we ship to Norway within 14 days', 'orders above 1,000 EUR are free'];

describe('what an edit adds', () => {
  it('are numbers and names that nobody said', () => {
    expect(unquotedTerms('Orders to Norway and Sweden arrive in 14 to 20 days.', QUOTES)).toEqual(['20', 'Sweden']);
  });

  it('is nothing where words are only put in another way', () => {
    expect(unquotedTerms('Above 1000 EUR, delivery to Norway’s customers is free.', QUOTES)).toEqual([]);
  });

  it('tells each once, and no word that begins a sentence', () => {
    expect(unquotedTerms('Delivery: to Malmö. Then to Malmö\nThe rest', QUOTES)).toEqual(['Malmö']);
  });

  it('is everything where there are no quotes', () => {
    expect(unquotedTerms('In 2026, Berlin and I agreed on 7%.', [])).toEqual(['2026', '7%', 'Berlin']);
  });

  it('is nothing in the quotes themselves', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => unquotedTerms(text, [text]).length === 0));
  });
});
