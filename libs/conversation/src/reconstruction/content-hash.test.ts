import { describe, expect, it } from '@jest/globals';
import { contentHashOf, messageHashOf } from './content-hash.ts';

type Messages = Parameters<typeof contentHashOf>[0];

const said: Messages = [
  { role: 'user', content: 'Find it' },
  {
    role: 'assistant',
    content: '',
    toolCalls: [
      { id: 'c1', name: 'search', arguments: { q: 'a', n: 1 } },
      { id: 'c2', name: 'search', arguments: {} },
    ],
  },
  { role: 'tool', content: 'A', toolCallId: 'c1' },
  { role: 'tool', content: 'A', toolCallId: 'c2' },
];
const changed = (index: number, fields: object): Messages =>
  said.map((message, at) => (at === index ? { ...message, ...fields } : message));

describe('the content hash', () => {
  it('is the same whatever the ids, names, errors and times', () => {
    const renamed = said.map((message) => ({
      ...message,
      name: 'anyone',
      finishReason: 'stop',
      error: { type: 'error', message: '' },
      toolCalls: message.toolCalls?.map((call) => ({ ...call, id: `new-${call.id}` })),
      ...(message.toolCallId === undefined ? {} : { toolCallId: `new-${message.toolCallId}` }),
    }));
    expect(contentHashOf(renamed)).toBe(contentHashOf(said));
    const anonymous = said.map(({ toolCallId: _, ...message }) => ({
      ...message,
      toolCalls: message.toolCalls?.map(({ name, arguments: given }) => ({ name, arguments: given })),
    }));
    expect(contentHashOf(anonymous)).toBe(contentHashOf(said));
  });

  it('does not depend on the order of argument keys', () => {
    expect(
      contentHashOf(
        changed(1, {
          toolCalls: [
            { id: 'c1', name: 'search', arguments: { n: 1, q: 'a' } },
            { id: 'c2', name: 'search', arguments: {} },
          ],
        }),
      ),
    ).toBe(contentHashOf(said));
  });

  it.each([
    ['a role', changed(0, { role: 'system' })],
    ['a text', changed(0, { content: 'Find it ' })],
    [
      'an argument',
      changed(1, {
        toolCalls: [
          { id: 'c1', name: 'search', arguments: { q: 'b', n: 1 } },
          { id: 'c2', name: 'search', arguments: {} },
        ],
      }),
    ],
    ['which call a result answers', changed(2, { toolCallId: 'c2' })],
    [
      'an attachment',
      changed(0, { attachments: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] }),
    ],
    ['the order', [said[1], said[0], said[2], said[3]] as Messages],
    ['a missing message', said.slice(0, 3)],
  ])('differs with %s', (_, messages) => {
    expect(contentHashOf(messages)).not.toBe(contentHashOf(said));
  });
});

describe('the hash of a message', () => {
  it('is all that the content hash needs of its words', () => {
    const wordless = said.map((message) => ({
      ...message,
      hash: messageHashOf(message),
      content: '',
      toolCalls: message.toolCalls?.map((call) => ({ ...call, arguments: null })),
    }));
    expect(contentHashOf(wordless)).toBe(contentHashOf(said));
  });

  it('is the same wherever the message stands, and whichever call it answers', () => {
    const [, , first, second] = said;
    expect(messageHashOf(first!)).toBe(messageHashOf(second!));
  });
});
