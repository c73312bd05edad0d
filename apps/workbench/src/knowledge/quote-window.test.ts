import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { windowAround } from './quote-window.ts';

it('leaves a short text whole', () => {
  expect(windowAround('we ship to Norway', { start: 11, end: 17 }, 100)).toEqual({
    ...{ text: 'we ship to Norway', start: 0, isCutBefore: false, isCutAfter: false },
  });
});

it('cuts a long text at words around the quote', () => {
  const text = `${'before '.repeat(100)}THE QUOTE ${'after '.repeat(100)}`;
  const start = text.indexOf('THE');
  const shown = windowAround(text, { start, end: start + 9 }, 80);
  expect(shown).toMatchObject({ isCutBefore: true, isCutAfter: true });
  expect(shown.text).toMatch(/^before .*THE QUOTE.* after$/u);
});

it('always has the quote, at its place', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 600 }), fc.nat(600), fc.nat(50), fc.nat(90), (text, at, length, margin) => {
      const start = Math.min(at, text.length);
      const end = Math.min(start + length, text.length);
      const shown = windowAround(text, { start, end }, margin);
      expect(shown.text.slice(start - shown.start, end - shown.start)).toBe(text.slice(start, end));
    }),
  );
});
