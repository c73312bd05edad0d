import { describe, expect, it } from '@jest/globals';
import { NewExample } from '@clew/contracts';
import { fromOpenAiLine } from './openai-chat.ts';

const SOURCE = { kind: 'import', externalRef: 'x' };

describe('a line of an OpenAI fine-tuning file', () => {
  it('becomes an Example whose expected output is the last message of the assistant', () => {
    const line = {
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: [{ type: 'text', text: 'Weather?' }], name: 'anna' },
        {
          role: 'assistant',
          content: null,
          refusal: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Ulm"}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
        { role: 'assistant', content: 'It is sunny.', weight: 1 },
      ],
      tools: [{ type: 'function', function: { name: 'weather' } }],
      parallel_tool_calls: false,
    };
    expect(accepted(fromOpenAiLine(line)).payload).toEqual({
      input: {
        type: 'chat',
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: [{ type: 'text', text: 'Weather?' }], name: 'anna' },
          { role: 'assistant', content: null, toolCalls: [{ id: 'c1', name: 'weather', arguments: { city: 'Ulm' } }] },
          { role: 'tool', content: 'sunny', toolCallId: 'c1' },
        ],
        tools: [{ type: 'function', function: { name: 'weather' } }],
        parallelToolCalls: false,
      },
      expectedOutput: { type: 'chat_message', message: { role: 'assistant', content: 'It is sunny.' } },
    });
  });

  it('of the preference form gives the rejected output too', () => {
    const line = {
      input: { messages: [{ role: 'user', content: 'Hi' }], tools: [], parallel_tool_calls: true },
      preferred_output: [{ role: 'assistant', content: 'Hello!' }],
      non_preferred_output: [{ role: 'assistant', content: 'What?' }],
    };
    expect(accepted(fromOpenAiLine(line)).payload).toMatchObject({
      expectedOutput: { message: { content: 'Hello!' } },
      rejectedOutput: { message: { content: 'What?' } },
    });
  });

  it('in the older form of functions is read alike', () => {
    const line = {
      messages: [
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', content: null, function_call: { name: 'weather', arguments: 'not JSON' } },
      ],
      functions: [{ name: 'weather' }],
    };
    expect(accepted(fromOpenAiLine(line)).payload).toMatchObject({
      input: { tools: [{ type: 'function', function: { name: 'weather' } }] },
      expectedOutput: { message: { toolCalls: [{ name: 'weather', arguments: 'not JSON' }] } },
    });
  });

  const user = { role: 'user', content: 'Hi' };
  it.each([
    ['{"id":9007199254740993}', '{"id":9007199254740993}'],
    ['{"a":1,"a":2}', '{"a":1,"a":2}'],
    ['"words"', '"words"'],
    ['{"id":9007199254740991}', { id: 9007199254740991 }],
  ])('keeps the arguments %s as text where parsing would change them', (text, kept) => {
    const call = { type: 'function', function: { name: 'find', arguments: text } };
    const line = { messages: [user, { role: 'assistant', tool_calls: [call] }] };
    const { payload } = accepted(fromOpenAiLine(line));
    expect(payload.expectedOutput).toMatchObject({ message: { toolCalls: [{ arguments: kept }] } });
  });

  it.each<[string, unknown, string]>([
    ['no messages', {}, 'messages'],
    ['something else than an object', [1], ''],
    ['no message of the assistant', { messages: [user] }, 'messages'],
    [
      'a message after the last of the assistant',
      { messages: [user, { role: 'assistant', content: 'a' }, user] },
      'messages.2',
    ],
    ['an unknown role', { messages: [{ role: 'robot', content: 'a' }] }, 'messages.0.role'],
    ['an unknown member', { messages: [user], wish: 1 }, ''],
    ['two preferred messages', preference([user, user]), 'preferred_output'],
    ['a preferred message of the user', preference([user]), 'preferred_output'],
    [
      'a refusal that says something',
      { messages: [user, { role: 'assistant', content: null, refusal: 'No.' }] },
      'messages.1.refusal',
    ],
  ])('with %s is refused, and the field named', (_, line, path) => {
    expect(() => fromOpenAiLine(line)).toThrow(expect.objectContaining({ path }));
  });
});

function preference(preferred: unknown[]) {
  return { input: { messages: [] }, preferred_output: preferred, non_preferred_output: [] };
}

function accepted(value: unknown): NewExample {
  return NewExample.parse({ ...(value as object), source: SOURCE });
}
