import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Api } from '@clew/sdk';
import type { Comparable } from '../examples/example-changes.ts';
import { changeBetween, contentOf, contentOfJson, jsonOf } from './draft-payload.ts';
import { draftOf, newCall, newDraft, newMessage } from './example-draft.ts';

const text = fc.string({ minLength: 1, maxLength: 20 });
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const optional = <Value>(name: string, value: fc.Arbitrary<Value>) =>
  fc.oneof(
    fc.constant({}),
    value.map((given) => ({ [name]: given })),
  );
const both = <A extends object, B extends object>(a: fc.Arbitrary<A>, b: fc.Arbitrary<B>) =>
  fc.tuple(a, b).map(([one, other]) => ({ ...one, ...other }));
const calls = fc.array(both(fc.record({ name: text, arguments: json }), optional('id', text)), {
  minLength: 1,
  maxLength: 2,
});
const content = fc.oneof(text, fc.array(fc.record({ type: text }), { minLength: 1, maxLength: 2 }));
const says = fc.oneof(
  fc.record({ content }),
  fc.record({ content: fc.oneof(content, fc.constant(null)), toolCalls: calls }),
);
const message = both(
  both(says, fc.record({ role: fc.constantFrom('system', 'user', 'assistant', 'tool') })),
  both(optional('name', text), optional('toolCallId', text)),
);
const input = fc.oneof(
  both(
    fc.record({ type: fc.constant('chat'), messages: fc.array(message, { minLength: 1, maxLength: 4 }) }),
    both(optional('parallelToolCalls', fc.boolean()), optional('tools', fc.array(fc.record({ type: text })))),
  ),
  both(fc.record({ type: fc.constant('prompt'), prompt: text }), optional('system', fc.string())),
  both(fc.record({ type: fc.constant('instruction'), instruction: text }), optional('context', fc.string())),
  fc.record({ type: fc.constant('text'), text: fc.string() }),
  fc.record({ type: fc.constant('json'), value: json }),
);
const answer = both(says, fc.constant({ role: 'assistant' }));
const output = fc.oneof(
  fc.record({ type: fc.constant('chat_message'), message: both(answer, optional('name', text)) }),
  fc.record({ type: fc.constant('text'), text: fc.string() }),
  fc.record({ type: fc.constant('classification'), label: text }),
  fc.record({ type: fc.constant('json'), value: json }),
);
const criterion = text.map((each) => each.replaceAll(/\s/g, '_'));
const score = both(fc.record({ label: text, score: fc.integer() }), optional('description', criterion));
const rubric = both(
  fc.record({ criteria: fc.oneof(criterion, fc.array(criterion, { minLength: 1, maxLength: 3 })) }),
  optional('scoring', fc.array(score, { minLength: 1, maxLength: 2 })),
);
const payload = both(
  both(fc.record({ input }), optional('rubric', rubric)),
  both(optional('expectedOutput', output), optional('rejectedOutput', output)),
);
const SOURCE = { kind: 'manual' as const, externalRef: 'x' };

describe('the form of an Example', () => {
  it('changes nothing of what it does not show being changed', () => {
    fc.assert(
      fc.property(payload, fc.uniqueArray(fc.constantFrom('a', 'b c', 'split:test')), (given, tags) => {
        const before = { payload: given, tags, source: SOURCE } as Comparable;
        const read = contentOf(draftOf(before));
        expect(read).toMatchObject({ isFine: true });
        if (read.isFine) expect(changeBetween(before, read.content)).toBeUndefined();
      }),
    );
  });

  it('names each field that cannot be saved', () => {
    const chat = newDraft('chat');
    const call = { ...newCall(), arguments: '{' };
    const messages = [newMessage('user', 'Hi'), { ...newMessage('assistant'), toolCalls: [call] }];
    const read = contentOf({
      ...chat,
      input: { ...chat.input, messages, tools: '{}' },
      rejected: { ...chat.rejected, type: 'json', text: 'x' },
      scoring: [{ key: 'k', label: '', score: 'much', description: '' }],
    });
    expect(read.isFine ? [] : [...read.problems.keys()]).toEqual([
      'input.tools',
      'input.messages.1.toolCalls.0.arguments',
      'input.messages.1.toolCalls.0.name',
      'rejectedOutput.value',
      'rubric.criteria',
      'rubric.scoring.0.score',
      'rubric.scoring.0.label',
    ]);
  });
});

describe('the JSON view', () => {
  const content: Comparable = { payload: { input: { type: 'text', text: 'a' } }, tags: ['t'], source: SOURCE };

  it('holds the same, and takes it back', () => {
    expect(contentOfJson(jsonOf(content))).toEqual({ isFine: true, content });
  });

  it('takes nothing that is no Example', () => {
    const wrong = ['{', '1', '{}', '{"payload":{"input":{"type":"chat"}},"tags":[],"source":{}}'];
    for (const each of [...wrong, jsonOf({ ...content, tags: [1] as never }), '{"other":1}']) {
      expect(contentOfJson(each).isFine).toBe(false);
    }
  });
});

it('changes only the members that differ, whatever their order', () => {
  const before: Comparable = { payload: { input: { type: 'text', text: 'a' } }, tags: [], source: SOURCE };
  const turned: Api.ExamplePayload = { input: { text: 'a', type: 'text' } };
  expect(changeBetween(before, { ...before, payload: turned })).toBeUndefined();
  expect(changeBetween(before, { ...before, payload: turned, tags: ['b'] })).toEqual({ tags: ['b'] });
});
