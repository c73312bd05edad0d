import { expect, it } from '@jest/globals';
import { choiceOf, parseSettingsSearch } from './settings-search.ts';

it('keeps texts that it knows, trimmed and bounded', () => {
  const search = parseSettingsSearch({ q: ` ${'a'.repeat(300)}`, by: 'key', unknown: 'x', days: 7, actor: '  ' });
  expect(search).toEqual({ q: 'a'.repeat(200), by: 'key' });
});

it('chooses from what is known', () => {
  expect(choiceOf('day', ['day', 'key'])).toBe('day');
  expect(choiceOf('month', ['day', 'key'])).toBeUndefined();
  expect(choiceOf(undefined, ['day'])).toBeUndefined();
});
