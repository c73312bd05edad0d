import { expect, it } from '@jest/globals';
import { parsePreferences } from './preferences.ts';

const DEFAULTS = { theme: 'system', characterKeys: true, projectId: null, messageView: 'text' };

it.each([
  null,
  '',
  '{',
  '[]',
  'null',
  '"x"',
  '{"theme":"blue","characterKeys":"no","projectId":3,"messageView":"html"}',
])('takes the defaults for %j, which no version has stored', (stored) => {
  expect(parsePreferences(stored)).toEqual(DEFAULTS);
});

it('keeps what was chosen', () => {
  const chosen = { theme: 'dark', characterKeys: false, projectId: 'prj_1', messageView: 'markdown' };
  expect(parsePreferences(JSON.stringify(chosen))).toEqual(chosen);
});
