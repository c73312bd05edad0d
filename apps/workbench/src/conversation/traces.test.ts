import { expect, it } from '@jest/globals';
import type { Api } from '@clew/sdk';
import { tracesOf } from './traces.ts';

it('lists the traces of a conversation with what is left of their messages', () => {
  const message = (
    index: number,
    traceId: string,
    more: Partial<Api.ConversationMessage>,
  ): Api.ConversationMessage => ({
    ...{ index, traceId, spanId: 's', atMs: index, role: 'assistant', content: `words ${index}` },
    ...more,
  });
  const messages = [
    message(0, 'b', {}),
    message(1, 'b', { role: 'user', content: 'Hi' }),
    message(2, 'c', { error: { type: 'timeout', message: 'late' } }),
  ];
  expect(tracesOf({ traceIds: ['a', 'b'], messages })).toEqual([
    { traceId: 'a', atMs: undefined, messages: 0, errors: 0, words: '' },
    { traceId: 'b', atMs: 0, messages: 2, errors: 0, words: 'Hi' },
    { traceId: 'c', atMs: 2, messages: 1, errors: 1, words: 'words 2' },
  ]);
});
