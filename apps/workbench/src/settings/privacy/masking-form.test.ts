import { expect, it } from '@jest/globals';
import { linesOf, patternDrafts, patternsOf, removedText } from './masking-form.ts';

it('shows patterns as they are, and leaves out lines of nothing', () => {
  const patterns = [
    { name: 'order', pattern: 'ORD-\\d+' },
    { name: 'pet', pattern: 'cat', replacement: '<pet>' },
  ];
  expect(patternsOf(patternDrafts(patterns))).toEqual(patterns);
  expect(patternsOf([{ name: ' ', pattern: '', replacement: 'x' }])).toEqual([]);
  expect(patternsOf([{ name: '', pattern: 'a', replacement: '' }])).toEqual([{ name: '', pattern: 'a' }]);
});

it('takes each line once', () => {
  expect(linesOf(' a@b \n\n@c.example\na@b')).toEqual(['a@b', '@c.example']);
});

it('says what was removed in words', () => {
  expect(removedText({ spans: 12, rawPayloads: 3, log_records: 0 }, String)).toBe('12 spans, 3 raw payloads');
  expect(removedText({}, String)).toBe('Nothing');
});
