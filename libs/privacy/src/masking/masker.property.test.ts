import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_MASKING, type MaskingSettings } from '@clew/contracts';
import { ORDINARY } from '../redaction/test-support/ordinary.ts';
import { createMasker } from './masker.ts';

const ON: MaskingSettings = { ...DEFAULT_MASKING, enabled: true };

/** Secrets and personal data that no word has to give away. */
const planted = fc.oneof(
  fc.stringMatching(/^[a-z]{3,10}\.[a-z]{3,10}@[a-z]{3,8}\.(?:com|de|org)$/),
  fc.stringMatching(/^sk-[a-zA-Z0-9]{32}$/).filter((key) => !/x{4,}|your|example|(.)\1{6}/i.test(key)),
  fc.stringMatching(/^ghp_[a-zA-Z0-9]{36}$/).filter((key) => !/x{4,}|your|example/i.test(key)),
  fc.constantFrom('4111 1111 1111 1111', '5500005555555559', 'DE89 3704 0044 0532 0130 00', '+49 170 1234567'),
  fc.stringMatching(/^\+49 1[567]\d [1-9]\d{6}$/),
);
/** Words with what looks like JSON, masks, escapes and numbers in them. */
const filler = fc.oneof(
  fc.constantFrom(...ORDINARY.filter((text) => !/["\\[\]{}]/.test(text))),
  fc.constantFrom(
    '{',
    '}',
    '[masked email]',
    '[x]',
    '\\n',
    '"',
    'a:',
    '42',
    '\n',
    '…',
    'ß',
    '[masked text]',
    '<b>',
    '`',
  ),
  fc.string({ maxLength: 12, unit: 'grapheme' }),
);
const around = fc.array(filler, { maxLength: 5 }).map((words) => words.join(' '));

it('nothing that was planted is in the result, whatever is around it and however it is wrapped', () => {
  const masker = createMasker(ON);
  fc.assert(
    fc.property(around, planted, around, fc.integer({ min: 0, max: 4 }), (before, secret, behind, levels) => {
      let text = `${before} \n${secret}\n ${behind}`;
      for (let level = 0; level < levels; level += 1) text = JSON.stringify({ role: 'user', content: [text, 1.5] });
      const masked = masker.text(text);
      expect(masked).not.toContain(secret);
      if (levels > 0) expect(() => JSON.parse(masked)).not.toThrow();
    }),
    { numRuns: 400 },
  );
});

it('masking what is masked changes nothing, with own patterns, too', () => {
  const patterns = [
    { name: 'order', pattern: String.raw`#W\d{7}` },
    { name: 'word', pattern: '[mM]ask|email', replacement: '[word]' },
    { name: 'line', pattern: '(?m)^a.{0,5}$' },
  ];
  const maskers = [createMasker(ON), createMasker({ ...ON, patterns, allow: ['sara@mail.com'] })];
  const texts = fc.array(fc.oneof(planted, filler, fc.constantFrom('password:', 'PIN', 'call')), { maxLength: 8 });
  fc.assert(
    fc.property(texts, fc.constantFrom(' ', '', '\n', '","', ': '), (words, between) => {
      for (const masker of maskers) {
        const once = masker.text(words.join(between));
        expect(masker.text(once)).toBe(once);
      }
    }),
    { numRuns: 400 },
  );
});

it('ordinary texts and values survive: ids of orders, names of products, numbers', () => {
  const masker = createMasker(ON);
  const ordinary = fc.constantFrom(...ORDINARY);
  // A whole number of 19 digits may be that of a card.
  const fraction = fc.double({ noNaN: true }).filter((number) => !Number.isInteger(number));
  const value = fc.oneof(ordinary, fraction, fc.integer({ min: -99_999, max: 99_999 }), fc.boolean());
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('role', 'content', 'note', 'items'), value), (given) => {
      expect(masker.value(given)).toBe(given);
      const text = JSON.stringify(given);
      expect(masker.text(text)).toBe(text);
    }),
    { numRuns: 300 },
  );
});

it('JSON stays JSON, with the same form, and all that is not replaced stays byte by byte', () => {
  const masker = createMasker(ON);
  const leaf = fc.oneof(planted, filler, fc.double({ noNaN: true }), fc.constant(4_111_111_111_111_111));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(filler, tie('tree'), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(tree, fc.nat({ max: 3 }), (given, indent) => {
      const text = JSON.stringify([given], null, indent);
      const masked = masker.text(text);
      expect(shapeOf(JSON.parse(masked))).toEqual(shapeOf(JSON.parse(text)));
      expect(masked).toBe(masked === text ? text : masker.text(masked));
    }),
    { numRuns: 300 },
  );
});

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).map(shapeOf).length;
}
