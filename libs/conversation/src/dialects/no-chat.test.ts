import { describe, expect, it } from '@jest/globals';
import { reading } from './test-support/sketch.ts';

const LLM = { 'openinference.span.kind': 'LLM', 'llm.system': 'openai' };
const MODELS = '{"data":[{"id":"tiny","created":1,"object":"model"}],"object":"list"}';
const EMBEDDINGS = '{"data":[{"embedding":[0.1,0.2],"index":0,"object":"embedding"}],"model":"e","object":"list"}';

/** Expected reading: no messages, and no kind that would make the span a step of a chat. */
const NO_CHAT = { kind: 'other', input: [], output: [], hasInput: false, hasOutput: false };

describe('a span that is called a call of a model and holds no chat', () => {
  it.each([
    ['a list of models, which asks nothing', { 'input.value': '{}', 'output.value': MODELS }],
    ['a list of models whose input was not recorded', { 'output.value': MODELS }],
    [
      'embeddings, which have a text and no answer',
      { 'input.value': '{"input":"a text"}', 'output.value': EMBEDDINGS },
    ],
    ['data for data', { 'input.value': '{"rows":[1,2]}', 'output.value': '[{"score":0.2},{"score":0.9}]' }],
    ['a request that asked nothing and failed', { 'input.value': '{}', 'error.type': 'APIConnectionError' }],
    ['a text that nobody asked for', { 'input.value': '{}', 'output.value': 'SyncPage[Model](data=[...])' }],
  ])('is no call and says nothing: %s', (_name, attributes) => {
    expect(reading({ ...LLM, ...attributes })).toMatchObject(NO_CHAT);
  });

  it('is none either as the outermost span of a run', () => {
    const run = { 'openinference.span.kind': 'CHAIN', 'output.value': '{"rows":3}' };
    expect(reading(run, { parentSpanId: undefined })).toMatchObject({ output: [] });
  });
});

describe('data as an answer', () => {
  it('is a message where something was asked in words', () => {
    const attributes = { ...LLM, 'input.value': 'Which colour?', 'output.value': '{"colour":"red"}' };
    expect(reading(attributes)).toMatchObject({
      kind: 'model_call',
      input: [{ role: 'user', content: 'Which colour?' }],
      output: [{ role: 'assistant', content: '{"colour":"red"}' }],
    });
  });

  it('is a message where the question stands in attributes of its own', () => {
    const attributes = {
      ...LLM,
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'Which colour?',
      'output.value': '{"colour":"red"}',
    };
    expect(reading(attributes).output).toEqual([{ role: 'assistant', content: '{"colour":"red"}' }]);
  });

  it('is a message of an agent, which may be asked in data as well', () => {
    const attributes = { 'openinference.span.kind': 'AGENT', 'input.value': '{"city":"Rome"}', 'output.value': '[1]' };
    expect(reading(attributes)).toMatchObject({ kind: 'agent', output: [{ role: 'assistant', content: '[1]' }] });
  });

  it('is not looked for where the answer is recorded as one', () => {
    const attributes = {
      ...LLM,
      'input.value': '{}',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'Hello',
    };
    expect(reading(attributes)).toMatchObject({ kind: 'model_call', output: [{ content: 'Hello' }] });
  });
});
