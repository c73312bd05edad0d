import { describe, expect, it } from '@jest/globals';
import { promptHash } from './prompt-hash.ts';

const template = (name: string, date: string, id: string, limit: number): string =>
  `You are an assistant. Today is ${date}.\nThe customer's name is ${name} (customer id ${id}).\nIssue at most ${limit} refunds.`;

describe('the hash of a prompt', () => {
  const hash = promptHash(template('Jane Doe', '2026-05-14', 'cus_81fa22', 3));

  it('is the same for two uses of one template', () => {
    expect(promptHash(template('Sofia Maria Lindqvist', '2027-01-02', 'cus_99aa10', 3))).toBe(hash);
  });

  it('differs where a rule counts otherwise', () => {
    expect(promptHash(template('Jane Doe', '2026-05-14', 'cus_81fa22', 5))).not.toBe(hash);
  });

  it.each([
    ['Current time: 09:30 CEST.', 'Current time: 17:05 UTC.'],
    ['It is Tuesday, 14 July 2026.', 'It is Monday, 3 August 2026.'],
    ['You are talking to Jane Doe.', 'You are talking to Ada Lovelace King.'],
    ['Write to jane@shop.example.', 'Write to support@other.example.'],
    ['See https://a.example/x?y=1 for help.', 'See https://b.example/z for help.'],
    ['User: jdoe', 'User: alovelace'],
    ['Session 550e8400-e29b-41d4-a716-446655440000', 'Session 123e4567-e89b-12d3-a456-426614174000'],
  ])('masks %s', (left, right) => {
    expect(promptHash(left)).toBe(promptHash(right));
  });

  it.each([
    ['Never cancel orders.', 'Never cancel bookings.'],
    ['Call get_order first.', 'Call find_order first.'],
    ['Offer at most 3 slots.', 'Offer at most 4 slots.'],
  ])('tells %s from %s', (left, right) => {
    expect(promptHash(left)).not.toBe(promptHash(right));
  });
});
