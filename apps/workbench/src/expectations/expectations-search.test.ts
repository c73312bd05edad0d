import { expect, it } from '@jest/globals';
import { parseExpectationsSearch } from './expectations-search.ts';

it('keeps what it knows', () => {
  expect(parseExpectationsSearch({ view: 'active', id: 'exp_1', q: 'x' })).toEqual({ view: 'active', id: 'exp_1' });
  expect(parseExpectationsSearch({ view: 'deleted', id: '' })).toEqual({});
  expect(parseExpectationsSearch({ id: 'x'.repeat(101) })).toEqual({});
});
