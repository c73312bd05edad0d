import { expect, it } from '@jest/globals';
import { messageGist } from './message-gist.ts';

it('is the words of a message, cut where they are long', () => {
  expect(messageGist({ content: ' Cancel order 17. ' })).toBe('Cancel order 17.');
  expect(messageGist({ content: 'a'.repeat(1_000) })).toHaveLength(401);
});

it('says what a message without words does', () => {
  const call = (name: string) => ({ id: name, name, arguments: {} });
  expect(messageGist({ content: '', toolCalls: [call('find_order'), call('refund')] })).toBe(
    'Calls find_order, refund',
  );
  expect(messageGist({ content: '', error: { type: 'Timeout', message: 'no answer' } })).toBe('Timeout: no answer');
  expect(messageGist({ content: '' })).toBe('No words');
});
