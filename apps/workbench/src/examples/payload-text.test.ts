import { describe, expect, it } from '@jest/globals';
import { contentText, inputText, outputText, rubricText, splitOf, withoutSplits } from './payload-text.ts';

describe('the words of an Example', () => {
  it('are the last of the user, and of other inputs their main text', () => {
    const user = (content: string) => ({ role: 'user' as const, content });
    const messages = [user('First'), { role: 'assistant' as const, content: 'Hm' }, user('Cancel order 17.')];
    expect(inputText({ type: 'chat', messages })).toBe('Cancel order 17.');
    expect(inputText({ type: 'chat', messages: [{ role: 'system', content: 'Be kind' }] })).toBe('Be kind');
    expect(inputText({ type: 'prompt', prompt: 'p', system: 's' })).toBe('p');
    expect(inputText({ type: 'instruction', instruction: 'i', context: 'c' })).toBe('i');
    expect(inputText({ type: 'json', value: { a: 1 } })).toBe('{"a":1}');
  });

  it('have a mark for what is no text', () => {
    expect(
      contentText([
        { type: 'text', text: 'Look:' },
        { type: 'image_url', image_url: {} },
      ]),
    ).toBe('Look:\n[image_url]');
  });

  it('of an output are its message with the calls, its label or its value', () => {
    const toolCalls = [{ name: 'cancel', arguments: { order: 17 } }];
    const message = { role: 'assistant' as const, content: null, toolCalls };
    expect(outputText({ type: 'chat_message', message })).toBe('cancel({"order":17})');
    expect(outputText({ type: 'classification', label: 'refund' })).toBe('refund');
    expect(outputText(undefined)).toBe('');
  });

  it('of a rubric are its criteria and scores', () => {
    expect(rubricText({ criteria: ['Polite', 'Short'], scoring: [{ label: 'good', score: 1 }] })).toBe(
      '- Polite\n- Short\ngood: 1',
    );
  });
});

it('puts an Example into the strictest split that its tags name', () => {
  expect(splitOf(['split:train', 'split:test', 'x'])).toBe('test');
  expect(splitOf(['x'])).toBeUndefined();
  expect(withoutSplits(['split:train', 'x', 'split:other'])).toEqual(['x', 'split:other']);
});
