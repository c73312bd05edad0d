import { describe, expect, it } from '@jest/globals';
import { BUILT_IN_RULES } from '../../built-in-rules.ts';
import { assistant, called, conversation, detect, user } from '../../test-support/conversation.ts';
import { sensitiveData } from './sensitive-data.ts';

/** Assembled from parts, so that no scanner takes the test for a leak. */
const KEY = `sk-${'live'}-${'a1B2c3D4e5F6'.repeat(3)}`;
const CARD = `4111 ${'1111'} 1111 1111`;
const IBAN = `DE89 3704 0044 0532 0130 ${'00'}`;

it.each([
  ['an API key', `Use ${KEY} for it.`, 'critical'],
  ['a password', `The password is Tr0ub4dor&3x, keep it.`, 'critical'],
  ['a private key', `-----BEGIN RSA PRIVATE KEY-----\nMIIEow${'A'.repeat(60)}`, 'critical'],
  ['a URL with a password', `postgres://app:s3cr3tw0rd@db.internal/main`, 'critical'],
  ['a payment card', `Your card is ${CARD}.`, 'medium'],
  ['a bank account', `Pay to ${IBAN}.`, 'low'],
])('%s is reported, and nowhere quoted', (_, text, severity) => {
  const [found] = detect(sensitiveData, conversation([user('Hi'), assistant(text)]));
  expect(found).toMatchObject({ severity });
  expect(found?.anchor.quotes).toEqual([]);
  expect(JSON.stringify(found)).not.toMatch(/a1B2c3D4|4111 1111|Tr0ub4|MIIEow|s3cr3tw|3704 0044/);
});

it.each([
  ['a placeholder', 'Set api_key=YOUR_API_KEY_HERE1'],
  ['a card number with a wrong check digit', 'Your card is 4111 1111 1111 1112.'],
  ['an order number', 'Your order is 1234567890123456.'],
  ['a link', 'Your link to reset the password is `https://accounts.test/password-reset/t0k3n`'],
  ['advice', 'Choose a password with 12 characters.'],
])('left alone: %s', (_, text) => {
  expect(detect(sensitiveData, conversation([user('Hi'), assistant(text)]))).toEqual([]);
});

it.each([
  ['secret', 'critical'],
  ['card', 'medium'],
  ['iban', 'low'],
])('a %s that was masked before it was stored is reported', (kind, severity) => {
  const [found] = detect(sensitiveData, conversation([user('Hi'), assistant(`Here it is: [masked ${kind}].`)]));
  expect(found).toMatchObject({ severity });
  expect(JSON.stringify(found)).toContain('masked before it was stored');
});

it.each(['[masked email]', '[masked order number]', '[card]', '[email 1]'])('left alone: %s', (text) => {
  expect(detect(sensitiveData, conversation([user('Hi'), assistant(text)]))).toEqual([]);
});

it('what the user wrote counts half', () => {
  expect(detect(sensitiveData, conversation([user(CARD), assistant(`Is it ${CARD}?`)]))).toEqual([]);
  const masked = [user('It is [masked card]'), assistant('Is it [masked card]?')];
  expect(detect(sensitiveData, conversation(masked))).toEqual([]);
});

describe('every other Rule', () => {
  it('quotes and tells around a secret', () => {
    const script = [
      user(`My key is ${KEY} and this is ridiculous!`),
      assistant(`Sorry. ${KEY}`),
      user(`That's wrong. I said ${KEY}. This is ridiculous!`),
      ...called('get_key', { key: KEY }, `Error: ${KEY} is not valid`),
      assistant(`Done! ${KEY} has been updated.`),
    ];
    const everything = { minSignalScore: 0, minDiagnosticConfidence: 0 };
    const found = BUILT_IN_RULES.flatMap((rule) => detect(rule, conversation(script), everything));
    expect(found.length).toBeGreaterThan(2);
    expect(JSON.stringify(found)).not.toContain(KEY.slice(0, 20));
  });
});
