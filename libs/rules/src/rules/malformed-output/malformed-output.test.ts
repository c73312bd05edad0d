import { expect, it } from '@jest/globals';
import { assistant, conversation, detect, firedSignals, repeated, user } from '../../test-support/conversation.ts';
import { malformedOutput } from './malformed-output.ts';

it.each([
  ['a document with a mistake', '{"name": "Jo", "age": 5,}'],
  ['a document with an unescaped quote', '{"text": "she said "hello" to me"}'],
  ['a block with a mistake', 'Here it is:\n```json\n{"a": 1, "b": }\n```\nAnything else?'],
])('%s is reported', (_, text) => {
  expect(firedSignals(malformedOutput, [user('As JSON, please'), assistant(text)])).toEqual(['invalid_json']);
});

it('an agent that leaves its format is reported', () => {
  const script = [
    ...repeated(4, (n) => [user(`Item ${n}`), assistant(`{"item":${n}}`)]),
    user('Item 5'),
    assistant('Sorry!'),
  ];
  expect(firedSignals(malformedOutput, script)).toEqual(['format_left']);
});

it.each([
  ['valid JSON', '{"a": [1, 2]}'],
  ['a valid block', '```json\n{"a": 1}\n```'],
  ['a list of sources', '[1] The first source\n[2] The second'],
  ['a link', '[docs](https://example.com) tell more'],
  ['an example for people', '```json\n{"a": 1, ...}\n```'],
  ['prose with braces', 'Use {name} in the text'],
  ['code', '```js\nconst a = {b: 1};\n```'],
])('left alone: %s', (_, text) => {
  expect(firedSignals(malformedOutput, [user('Hi'), assistant(text)])).toEqual([]);
});

it('what was cut off is reported by its own Rule', () => {
  const cut = conversation([user('As JSON'), assistant('{"a": 1, "b"', { finishReason: 'length' })]);
  expect(detect(malformedOutput, cut)).toEqual([]);
});
