import { describe, expect, it } from '@jest/globals';
import { callSigns } from './call-signs.ts';

describe('the response id of a call', () => {
  it.each([
    ['the conventions', { 'gen_ai.response.id': 'r1' }],
    ['the Vercel AI SDK', { 'ai.response.id': 'r1' }],
    ['an answer that was recorded whole', { 'output.value': '{"id":"r1","choices":[{"id":"x"}]}' }],
    ['an answer that was put together from a stream', { 'output.value': '{"choices":[{"id":"x"}],"id":"r1"}' }],
    ['an answer of the Messages API', { 'output.value': '{"id":"r1","type":"message","content":[]}' }],
    ['LangChain’s results', { 'output.value': '{"generations":[[{}]],"llm_output":{"id":"r1"}}' }],
  ])('is read from %s', (_what, attributes) => {
    expect(callSigns(attributes).responseId).toBe('r1');
  });

  it.each([
    ['a message with an id', '{"id":"m1","role":"assistant","content":"hello"}'],
    ['a list', '[{"id":"r1","choices":[]}]'],
    ['broken JSON', '{"id":"r1","choices":['],
    ['a text', 'the "id" of it'],
    ['an id that is none', '{"id":{"a":1},"choices":[]}'],
  ])('is not taken from %s', (_what, output) => {
    expect(callSigns({ 'output.value': output }).responseId).toBeUndefined();
  });
});

describe('the names of a model', () => {
  it('are those of the request and of the answer, each once', () => {
    const attributes = {
      'gen_ai.request.model': 'tiny',
      'gen_ai.response.model': 'tiny-2026',
      'clew.request.model': 'loop/tiny',
      'llm.model_name': 'tiny',
    };
    expect(callSigns(attributes).models).toEqual(['tiny', 'tiny-2026', 'loop/tiny']);
  });
});
