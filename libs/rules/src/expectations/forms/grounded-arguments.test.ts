import { describe, expect, it } from '@jest/globals';
import type { ExpectationCheck } from '@clew/contracts';
import { assistant, called, calls, conversation, user, type ScriptedMessage } from '../../test-support/conversation.ts';
import { evaluateExpectation } from '../evaluate-expectation.ts';

type Script = readonly (ScriptedMessage | ScriptedMessage[])[];

const ALL: ExpectationCheck = { form: 'grounded_arguments', tools: ['*'] };

function reasons(check: ExpectationCheck, script: Script, overrides = {}): string[] {
  return evaluateExpectation({ check }, conversation(script, overrides)).map(({ reason }) => reason);
}

const look = (args: unknown, tool = 'get_order'): Script => [calls({ name: tool, arguments: args })];

describe('grounded_arguments holds for a value that', () => {
  it.each<readonly [string, Script]>([
    ['the user gave', [user('My order is A-1001.'), ...look({ id: 'A-1001' })]],
    ['the user wrote otherwise', [user('order number a1001'), ...look({ id: '#A-1001' })]],
    ['a tool gave', [user('Hi'), called('list', {}, '{"orders":["ORD99121"]}'), ...look({ id: 'ORD99121' })]],
    [
      'the prompt gave',
      [{ role: 'system', content: 'The user is usr_42a7.' }, user('Hi'), ...look({ id: 'usr_42a7' })],
    ],
    ['was given with a country code', [user('Call (555) 123-4567'), ...look({ phone: '+15551234567' })]],
    ['was given with separators', [user('I paid 1,234.50'), ...look({ reference: 1234.5 })]],
    ['lies deep in an object', [user('A-1001 and B-2002'), ...look({ orders: [{ id: 'A-1001' }, { id: 'B-2002' }] })]],
    [
      'is no fact: a date, a time, a size, a word, a sentence',
      [
        user('Tomorrow at three'),
        ...look({
          date: '2026-03-14',
          at: '15:00',
          size: '10kg',
          cabin: 'economy',
          note: 'Wants it by 3pm, gate 27b',
          n: 2,
          ok: true,
        }),
      ],
    ],
    ['computes', [user('Add it up'), ...look({ expression: '350+125.5' }, 'calculate')]],
    [
      'may stand in an attachment',
      [user('See the picture', { attachments: [{ type: 'image' }] }), ...look({ id: 'A-1001' })],
    ],
  ])('%s', (_, script) => {
    expect(reasons(ALL, script)).toEqual([]);
  });
});

describe('grounded_arguments is broken by', () => {
  it.each<readonly [string, Script]>([
    ['an id that nobody gave', [user('Where is my order?'), ...look({ id: 'A-1001' })]],
    ['an id that only the agent had said', [user('Hi'), assistant('Is it A-1001?'), ...look({ id: 'A-1001' })]],
    ['an id that came up later', [user('Hi'), ...look({ id: 'A-1001' }), user('It is A-1001')]],
    ['an e-mail address', [user('I am Jane Doe'), ...look({ email: 'jane.doe@mail.example' })]],
    ['a long number', [user('Hi'), ...look({ phone: '555 123 4567' })]],
  ])('%s', (_, script) => {
    expect(reasons(ALL, script)).toHaveLength(1);
  });

  it('names the parameter and the value', () => {
    expect(reasons(ALL, [user('Hi'), ...look({ id: 'A-1001' })])).toEqual([
      'get_order was called with id "A-1001", which no user, tool or prompt had said before.',
    ]);
  });
});

describe('parameters that are named', () => {
  const check: ExpectationCheck = { form: 'grounded_arguments', tools: ['book'], parameters: ['city', 'date', 'note'] };

  it.each<readonly [string, unknown, number]>([
    ['a word that was said', { city: 'Oslo' }, 0],
    ['a word that was not', { city: 'Bergen' }, 1],
    ['a date in other words', { date: '2026-05-20' }, 0],
    ['another date', { date: '2026-06-21' }, 1],
    ['a text in the own words of the agent', { note: 'The user wants a quiet room in Oslo' }, 0],
    ['a parameter that is not named', { hotel: 'Grand' }, 0],
  ])('%s', (_, args, count) => {
    const script = [user('I want a quiet room in Oslo on May 20.'), ...look(args, 'book')];
    expect(reasons(check, script)).toHaveLength(count);
  });
});

it('grounded_arguments says nothing where words are missing', () => {
  const script = [user('Hi'), ...look({ id: 'A-1001' })];
  expect(reasons(ALL, script, { scope: 'traces' })).toEqual([]);
  expect(reasons(ALL, [user('', { textExpired: true }), ...look({ id: 'A-1001' })])).toEqual([]);
});
