import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Api } from '@clew/sdk';
import { exampleChanges, wholeExample, type Comparable } from './example-changes.ts';

const say = (content: string, role: 'user' | 'assistant' = 'user'): Api.ExampleMessage => ({ role, content });
const example = (messages: Api.ExampleMessage[], more: Partial<Api.ExamplePayload> = {}): Comparable => ({
  payload: { input: { type: 'chat', messages }, ...more },
  tags: [],
  source: { kind: 'manual', externalRef: 'x' },
});

describe('the changes of an Example', () => {
  it('name the messages that differ, and no other', () => {
    const before = example([say('a'), say('b'), say('c')]);
    expect(exampleChanges(before, example([say('a'), say('B'), say('c')]))).toEqual([
      { label: 'Message 2, user', change: 'updated', before: 'b', after: 'B' },
    ]);
    expect(exampleChanges(before, example([say('a'), say('b'), say('x'), say('c')]))).toEqual([
      { label: 'Message 3, user', change: 'added', before: '', after: 'x' },
    ]);
    expect(exampleChanges(before, example([say('b'), say('c')]))).toEqual([
      { label: 'Message 1, user', change: 'removed', before: 'a', after: '' },
    ]);
  });

  it('tell another role with the same words', () => {
    expect(exampleChanges(example([say('a')]), example([say('a', 'assistant')]))).toEqual([
      { label: 'Message 1, assistant', change: 'updated', before: 'user\na', after: 'assistant\na' },
    ]);
  });

  it('tell outputs, rubric, tags and source', () => {
    const before = example([say('a')], { expectedOutput: { type: 'text', text: 'yes' } });
    const after: Comparable = {
      ...example([say('a')], { rejectedOutput: { type: 'text', text: 'no' }, rubric: { criteria: 'Kind' } }),
      tags: ['new'],
    };
    expect(exampleChanges(before, after).map(({ label, change }) => [label, change])).toEqual([
      ['Expected', 'removed'],
      ['Rejected', 'added'],
      ['Rubric', 'added'],
      ['Tags', 'added'],
    ]);
  });

  it('are those of the members where the input is no chat, and all of it where its type changes', () => {
    const of = (input: Api.ExampleInput): Comparable => ({ ...example([]), payload: { input } });
    const before = of({ type: 'prompt', prompt: 'p' });
    expect(exampleChanges(before, of({ type: 'prompt', prompt: 'p', system: 's' }))).toEqual([
      { label: 'Input, system', change: 'added', before: '', after: 's' },
    ]);
    expect(exampleChanges(before, of({ type: 'text', text: 'p' }))[0]).toMatchObject({ label: 'Input' });
  });

  it('are all that it says where it was added or removed', () => {
    const whole = { ...example([say('a')], { expectedOutput: { type: 'text', text: 'yes' } }), tags: ['t'] };
    expect(wholeExample(whole, 'added').map(({ label, after }) => [label, after])).toEqual([
      ['Message 1, user', 'a'],
      ['Expected', 'yes'],
      ['Tags', 't'],
    ]);
    expect(wholeExample(whole, 'removed')[0]).toMatchObject({ change: 'removed', before: 'a', after: '' });
  });

  it('are none exactly where nothing differs', () => {
    const message = fc.record({ role: fc.constantFrom('user', 'assistant', 'tool'), content: fc.string() });
    const messages = fc.array(message, { maxLength: 6 }) as fc.Arbitrary<Api.ExampleMessage[]>;
    fc.assert(
      fc.property(messages, messages, (before, after) => {
        const isSame = JSON.stringify(before) === JSON.stringify(after);
        expect(exampleChanges(example(before), example(after)).length === 0).toBe(isSame);
      }),
    );
  });
});
