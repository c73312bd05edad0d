import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assistant, calls, conversation, detect, failed, user } from '../../test-support/conversation.ts';
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

  it('a change that was agreed on and refused is grave', () => {
    const [found] = detect(
      invalidToolArguments,
      conversation([
        user('Change it to Monday'),
        assistant('Shall I move order A-1 to Monday?'),
        user('Yes, please.'),
        ...failed('update_order', { order: 'A-1' }, 'Error: Monday is not available'),
      ]),
    );
    expect(found).toMatchObject({ severity: 'high', signals: ['agreed_change_refused'] });
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
