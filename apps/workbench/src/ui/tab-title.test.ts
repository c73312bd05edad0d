import { expect, it } from '@jest/globals';
import { tabTitle } from './tab-title.ts';

it('has the progress of what goes on before the page', () => {
  expect(tabTitle('Findings · Clew', '42%')).toBe('42% · Findings · Clew');
  expect(tabTitle('Findings · Clew', undefined)).toBe('Findings · Clew');
});
