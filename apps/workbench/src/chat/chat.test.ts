import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseChatSearch } from './chat-search.ts';
import {
  exampleOf,
  figuresOf,
  messagesFor,
  newAnswer,
  parametersOf,
  pieceOf,
  tokensPerSecond,
  withPiece,
  type Turn,
} from './chat.ts';

const answered = (text: string) => ({ ...newAnswer(0), text, state: 'done' as const });

describe('what a model is sent', () => {
  const turns: Turn[] = [
    { id: 1, said: 'Hello', answers: { a: answered('Hi'), b: answered('') } },
    { id: 2, said: 'And now?', answers: {} },
  ];

  it('is the system prompt, what was said, and its own answers', () => {
    expect(messagesFor(' Be short. ', turns, 'a').map(({ role, content }) => `${role}: ${content}`)).toEqual([
      ...['system: Be short.', 'user: Hello', 'assistant: Hi', 'user: And now?'],
    ]);
  });

  it('leaves out turns that it did not answer', () => {
    expect(messagesFor('', turns, 'b')).toEqual([{ role: 'user', content: 'And now?' }]);
  });

  it('has the parameters that are numbers it takes', () => {
    expect(parametersOf({ system: '', temperature: '0.7', maxTokens: '256' })).toEqual({
      ...{ temperature: 0.7, max_tokens: 256 },
    });
    expect(parametersOf({ system: '', temperature: 'hot', maxTokens: '-1' })).toEqual({});
  });
});

describe('a streamed answer', () => {
  it('grows with its pieces, and counts tokens as the model does in the end', () => {
    const first = withPiece(newAnswer(0), pieceOf({ choices: [{ delta: { role: 'assistant' } }] }), 100);
    expect(first).toMatchObject({ text: '', tokens: 0, firstAtMs: undefined });
    const words = withPiece(first, pieceOf({ choices: [{ delta: { content: 'Hel' } }] }), 400);
    const more = withPiece(words, pieceOf({ choices: [{ delta: { content: 'lo' } }] }), 900);
    expect(more).toMatchObject({ text: 'Hello', tokens: 2, firstAtMs: 400 });
    const last = withPiece(more, pieceOf({ choices: [], usage: { completion_tokens: 11 } }), 1_400);
    expect(tokensPerSecond({ ...last, endedAtMs: 1_400 }, 9_999)).toBe(10);
    expect(figuresOf({ ...last, endedAtMs: 1_400 }, 9_999)).toBe('11 tokens, 10 a second, first words after 0.4 s');
  });

  it('takes whatever a model sends', () => {
    fc.assert(
      fc.property(fc.anything(), (chunk) => {
        expect(typeof pieceOf(chunk).text).toBe('string');
      }),
    );
  });
});

it('becomes an Example, with the answer of the other model as the bad one', () => {
  const messages = [{ role: 'user', content: 'Hello' }] as const;
  const said = { model: 'self/a', messages, expected: 'Hi', rejected: undefined };
  expect(exampleOf({ ...said, rejected: 'Go away' })).toEqual({
    payload: {
      input: { type: 'chat', messages: [{ role: 'user', content: 'Hello' }] },
      expectedOutput: { type: 'chat_message', message: { role: 'assistant', content: 'Hi' } },
      rejectedOutput: { type: 'chat_message', message: { role: 'assistant', content: 'Go away' } },
    },
    source: { kind: 'manual', externalRef: 'chat with self/a' },
  });
  expect(exampleOf(said).payload).not.toHaveProperty('rejectedOutput');
});

it('reads the models of a chat from the address, and compares none with itself', () => {
  expect(parseChatSearch({ model: 'self/a', compare: 'self/b' })).toEqual({ model: 'self/a', compare: 'self/b' });
  expect(parseChatSearch({ model: 'self/a', compare: 'self/a' })).toEqual({ model: 'self/a' });
  expect(parseChatSearch({ model: 5, compare: '' })).toEqual({});
});
