import { describe, expect, it } from '@jest/globals';
import { DEFAULT_MASKING, type MaskingSettings } from '@clew/contracts';
import { ORDINARY } from '../redaction/test-support/ordinary.ts';
import { PLANTED } from '../redaction/test-support/planted.ts';
import { createMasker } from './masker.ts';
import { maskingPatternProblem } from './own-patterns.ts';

const ON: MaskingSettings = { ...DEFAULT_MASKING, enabled: true };
const masker = createMasker(ON);

it.each(PLANTED)('masked: %s', (text, sensitive) => {
  const masked = masker.text(text);
  expect(masked).not.toContain(sensitive);
  expect(masked).toMatch(/\[masked \w+\]/);
  expect(masker.text(masked)).toBe(masked);
});

it.each(ORDINARY)('stays: %s', (text) => {
  expect(masker.text(text)).toBe(text);
});

it.each([
  ['escaped in JSON', String.raw`{"to":"sara\u0040mail.com","n":1.50}`, '{"to":"[masked email]","n":1.50}'],
  ['escaped in JSON that was cut', String.raw`{"to":"sara\u0040mail.com","n":1.5`, '{"to":"[masked email]","n":1.5'],
  [
    'in JSON within JSON',
    '{"arguments":"{\\"to\\":\\"sara@mail.com\\"}"}',
    '{"arguments":"{\\"to\\":\\"[masked email]\\"}"}',
  ],
  [
    'a number of JSON',
    '{"card": 4111111111111111, "id": 12345678901234567890}',
    '{"card": "[masked card]", "id": 12345678901234567890}',
  ],
  ['a name of a member', '{"sara@mail.com":1,"leo@mail.com":2}', '{"[masked email]":1,"[masked email] 2":2}'],
  ['a word in front says it', '{"password":"hunter22x"}', '{"password":"[masked secret]"}'],
])('%s', (_, text, masked) => {
  expect(masker.text(text)).toBe(masked);
});

it('a secret that a word gives away in one place is masked in all others', () => {
  expect(masker.value(['My password is hunter22x', { args: { q: 'hunter22x', other: 'hunter22xy' } }])).toEqual([
    'My password is [masked secret]',
    { args: { q: '[masked secret]', other: 'hunter22xy' } },
  ]);
});

it('a value without anything to mask is the same value', () => {
  const value = { messages: [{ role: 'user', content: 'Order #W1234567, please', n: 42 }], __proto__: 1 };
  expect(masker.value(value)).toBe(value);
});

describe('settings', () => {
  it('a category that is off stays', () => {
    const some = createMasker({ ...ON, builtIn: { ...ON.builtIn, emails: false } });
    expect(some.text('sara@mail.com +49 170 1234567')).toBe('sara@mail.com [masked phone]');
  });

  it('what is allowed stays, a value or all addresses of a host', () => {
    const some = createMasker({ ...ON, allow: ['+1 800 555 0199', '@Shop.com'] });
    expect(some.text('help@shop.com, +1 800 555 0199, sara@mail.com')).toBe(
      'help@shop.com, +1 800 555 0199, [masked email]',
    );
  });

  it('own patterns have their masks, which nothing is found in', () => {
    const patterns = [
      { name: 'customer', pattern: String.raw`\bCU-\d{6}\b` },
      { name: 'word', pattern: 'masked|customer|order', replacement: '[order]' },
    ];
    const some = createMasker({ ...ON, patterns });
    const masked = some.text('CU-123456 has an order from sara@mail.com');
    expect(masked).toBe('[masked customer] has an [order] from [masked email]');
    expect(some.text(masked)).toBe(masked);
  });

  it('a pattern that matches each letter masks the text as a whole', () => {
    const some = createMasker({ ...ON, patterns: [{ name: 'letter', pattern: '[a-z]' }] });
    const masked = some.text('ab '.repeat(60));
    expect(masked).toBe('[masked text]');
    expect(some.text(masked)).toBe(masked);
  });

  it.each([
    ['(', 'is no pattern in the syntax of RE2'],
    ['a*', 'matches empty text'],
    ['(?:a|b|ab){1,900}c', 'repeats too much'],
  ])('the pattern %s is refused', (pattern, reason) => {
    expect(maskingPatternProblem(pattern)).toContain(reason);
  });
});
