import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assistant, called, calls, conversation, detect, failed, user } from '../../test-support/conversation.ts';
import { toolCallLoop } from '../tool-call-loop/tool-call-loop.ts';
import { toolErrorUnhandled } from '../tool-error-unhandled/tool-error-unhandled.ts';
import { schemaBreaches } from './check-schema.ts';
import { invalidToolArguments } from './invalid-tool-arguments.ts';

const tools = [
  {
    name: 'create_invoice',
    parameters: {
      type: 'object',
      properties: {
        amount: { type: 'number' },
        currency: { enum: ['EUR', 'USD'] },
        lines: { type: 'array', items: { type: 'object', required: ['text'] } },
      },
      required: ['amount'],
      additionalProperties: false,
    },
  },
];
const signalsFor = (args: unknown): string[] =>
  detect(
    invalidToolArguments,
    conversation([user('Invoice please'), calls({ name: 'create_invoice', arguments: args })], { tools }),
  ).flatMap(({ signals }) => signals);

describe('a call that the tool cannot take is reported', () => {
  it.each<readonly [string, unknown, string]>([
    ['a missing parameter', {}, 'schema_not_met'],
    ['another type', { amount: 'ten' }, 'schema_not_met'],
    ['a value that is not allowed', { amount: 1, currency: 'GBP' }, 'schema_not_met'],
    ['an unknown parameter', { amount: 1, vat: 2 }, 'schema_not_met'],
    ['a mistake inside of a list', { amount: 1, lines: [{}] }, 'schema_not_met'],
    ['broken JSON', '{"amount": 1', 'arguments_not_json'],
  ])('%s', (_, args, signal) => {
    expect(signalsFor(args)).toEqual([signal]);
  });

  it('a change that was agreed on and refused is told apart', () => {
    const [found] = detect(
      invalidToolArguments,
      conversation([
        user('Change it to Monday'),
        assistant('Shall I move order A-1 to Monday?'),
        user('Yes, please.'),
        ...failed('update_order', { order: 'A-1' }, 'Error: Monday is not available'),
      ]),
    );
    expect(found).toMatchObject({ severity: 'medium', signals: ['agreed_change_refused'] });
  });
});

describe('the same call that is refused again', () => {
  const refused = failed('move_file', { from: 'a', to: 'b' }, "mv: cannot stat 'a': No such file or directory");
  const script = [user('Rename a to b'), ...refused, ...refused, ...refused, assistant('Renamed.')];

  it('is grave, anchored at the first repetition, and reported once by one Rule', () => {
    const [found, ...others] = detect(invalidToolArguments, conversation(script));
    expect(found).toMatchObject({ severity: 'high', signals: ['same_call_refused_again'] });
    expect(found?.anchor.stepIndex).toBe(3);
    expect(found?.title).toContain('repeats a call of move_file that was refused');
    expect(others).toEqual([]);
    expect(detect(toolCallLoop, conversation(script))).toEqual([]);
    expect(detect(toolErrorUnhandled, conversation(script))).toEqual([]);
  });

  it.each([
    ['with other arguments', [...refused, ...failed('move_file', { from: 'c', to: 'b' }, 'Error: c not found')]],
    ['for another reason', [...refused, ...failed('move_file', { from: 'a', to: 'b' }, 'Error: b exists')]],
    ['after something was changed', [...refused, ...called('create_file', { name: 'a' }, 'ok'), ...refused]],
    [
      'while the tool is unavailable',
      [...failed('get_a', {}, 'Error: timed out'), ...failed('get_a', {}, 'Error: timed out')],
    ],
  ])('is none: %s', (_, work) => {
    const found = detect(invalidToolArguments, conversation([user('Rename a to b'), ...work]));
    expect(found.flatMap(({ signals }) => signals)).not.toContain('same_call_refused_again');
  });
});

describe('left alone', () => {
  it.each<readonly [string, unknown]>([
    ['arguments that fit', { amount: 2.5, currency: 'EUR', lines: [{ text: 'a' }] }],
    ['JSON as text', '{"amount": 1}'],
    ['plain text for a tool that takes one', 'ten euros'],
  ])('%s', (_, args) => {
    expect(signalsFor(args)).toEqual([]);
  });

  it('a schema with parts that are not read', () => {
    expect(schemaBreaches({ a: 1 }, { anyOf: [{ type: 'string' }] })).toEqual([]);
    expect(schemaBreaches({ a: 1 }, { type: 'object', properties: { a: { $ref: '#/x' } } })).toEqual([]);
  });

  it('a failure that passes, and a lookup that found nothing', () => {
    const script = [
      user('Change it'),
      assistant('Shall I?'),
      user('Yes'),
      ...failed('update_order', { order: 1 }, 'Error: 503 service unavailable'),
      ...failed('get_order', { order: 1 }, 'Error: order not found'),
    ];
    expect(detect(invalidToolArguments, conversation(script))).toEqual([]);
  });
});

it('any arguments and any schema give an answer', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (args, schema) => {
      expect(Array.isArray(schemaBreaches(args, schema))).toBe(true);
    }),
  );
});
