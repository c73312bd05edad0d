import { expect, it } from '@jest/globals';
import { viewOf } from './message-views.ts';

const plain = { index: 1, isCurrent: false, isFound: false };

it('is the one that the person chose last, unless another one was chosen for the message', () => {
  expect(viewOf(plain, 'markdown', new Map())).toBe('markdown');
  expect(viewOf(plain, 'markdown', new Map([[1, 'json']]))).toBe('json');
  expect(viewOf(plain, 'markdown', new Map([[2, 'json']]))).toBe('markdown');
});

it('is the text where one has come to a mark, which another way would not show', () => {
  expect(viewOf({ ...plain, isCurrent: true }, 'markdown', new Map())).toBe('text');
  expect(viewOf({ ...plain, isCurrent: true }, 'markdown', new Map([[1, 'markdown']]))).toBe('markdown');
  expect(viewOf({ ...plain, isFound: true }, 'markdown', new Map([[1, 'markdown']]))).toBe('text');
});
