import { describe, expect, it } from '@jest/globals';
import type { Api } from '@clew/sdk';
import { answerIndex, answersOf, exampleOfConversation } from './example-of-conversation.ts';

const said = (
  index: number,
  role: Api.ConversationMessage['role'],
  content: string,
  more: Partial<Api.ConversationMessage> = {},
): Api.ConversationMessage => ({ index, role, content, traceId: `t${index}`, spanId: 's', atMs: index, ...more });

const messages = [
  said(0, 'user', 'Cancel order 17.'),
  said(1, 'assistant', '', { toolCalls: [{ id: 'c1', name: 'cancel', arguments: { order: 71 } }] }),
  said(2, 'tool', 'no such order', { toolCallId: 'c1', name: 'cancel' }),
  said(3, 'assistant', 'It is cancelled.'),
  said(4, 'user', 'Thanks'),
];
const conversation = {
  id: 'conv',
  messages,
  tools: [{ name: 'cancel', parameters: { type: 'object' } }],
  traceIds: [],
};

it('offers the answers of a conversation, each in a few words', () => {
  expect(answersOf(messages)).toEqual([
    { index: 1, words: 'Step 2: calls cancel' },
    { index: 3, words: 'Step 4: It is cancelled.' },
  ]);
  const [long] = answersOf([said(0, 'assistant', 'word \n'.repeat(1_000))]);
  expect(long?.words).toHaveLength('Step 1: '.length + 91);
});

describe('the Example of a conversation', () => {
  it('rejects the answer of the step, after what was said before it', () => {
    expect(exampleOfConversation(conversation, 3)).toEqual({
      payload: {
        input: {
          type: 'chat',
          messages: [
            { role: 'user', content: 'Cancel order 17.' },
            { role: 'assistant', content: null, toolCalls: [{ id: 'c1', name: 'cancel', arguments: { order: 71 } }] },
            { role: 'tool', content: 'no such order', toolCallId: 'c1', name: 'cancel' },
          ],
          tools: [{ type: 'function', function: { name: 'cancel', parameters: { type: 'object' } } }],
        },
        rejectedOutput: { type: 'chat_message', message: { role: 'assistant', content: 'It is cancelled.' } },
      },
      source: { kind: 'conversation', conversationId: 'conv', traceIds: ['t0', 't1', 't2', 't3'] },
      tags: [],
    });
  });

  it('takes the answer that made the call, where a step is its result', () => {
    expect(answerIndex(messages, 2)).toBe(1);
    expect(answerIndex(messages, 0)).toBe(1);
    expect(answerIndex(messages, undefined)).toBe(3);
  });

  it('is none where nobody answered, or nothing was said before', () => {
    const of = (given: Api.ConversationMessage[]) =>
      exampleOfConversation({ ...conversation, messages: given }, undefined);
    expect(of([said(0, 'user', 'Hi')])).toBeUndefined();
    expect(of([said(0, 'assistant', 'Hello')])).toBeUndefined();
    expect(of([said(0, 'user', ''), said(1, 'assistant', '')])).toBeUndefined();
  });
});
