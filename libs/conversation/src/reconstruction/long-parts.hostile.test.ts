import { describe, expect, it } from '@jest/globals';
import { superLinearGrowth, type HostileText, type Work } from '@clew/testing/hostile';
import { assembled, assistant, call, span, system, user } from './test-support/spans.ts';

const RUN: HostileText = { name: 'a run of one character', of: (length) => 'a'.repeat(length) };

/** Builds a text that does not occur in a run, although every position looks like a match at first. */
function seeming(text: string): string {
  const half = text.slice(0, text.length / 4);
  return `${half}z${half}`;
}

/** Work: a history in which a message was rewritten. */
const rewritten: Work = (text) => {
  const before = [system('Be kind.'), user('Hello'), assistant('Hi')];
  return assembled(
    call({ id: '1', at: [0, 1], input: [...before, user(text)], output: [assistant('Yes')] }),
    call({
      ...{ id: '2', at: [2, 3], input: [...before, user(seeming(text)), assistant('Yes'), user('And?')] },
      output: [assistant('No')],
    }),
  );
};

/** Work: calls that smolagents repeats as a Python literal. */
function retold(said: string, calls: readonly string[]) {
  const literal = calls.map((given) => `{'function': {'name': 'run', 'arguments': '${given}'}}`).join(', ');
  const messages = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: said },
    { role: 'tool-call', content: `Calling tools:\n[${literal}]` },
  ];
  return assembled(
    span({ id: '1', at: [0, 1], attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': messages } }),
  );
}

describe('messages that hold others in part', () => {
  it.each<[string, Work]>([
    ['a message that may be another one, cut', rewritten],
    ['a call that may stand in a message', (text) => retold(text, [seeming(text)])],
    [
      'many calls that may stand in a message',
      (text) => retold(`${text}q`, Array<string>(Math.ceil(text.length / 50)).fill('aaq')),
    ],
  ])(
    'take time that is linear in their length: %s',
    (_, work) => {
      expect(superLinearGrowth(work, RUN, { length: 50_000, floorMs: 10 })).toBeUndefined();
    },
    120_000,
  );
});
