import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { problemOfPassword } from './password-rules.ts';

const ADA = { email: 'ada.lovelace@example.org', name: 'Ada Lovelace' };
const problemOf = (password: string, minLength = 15) => problemOfPassword(password, minLength, ADA);

describe('a password that somebody chooses', () => {
  it.each([
    'correct horse battery staple',
    'vier Tassen Kaffee um acht',
    'n7#kQ!z0wX4pL9@v',
    'пароль из пяти слов здесь',
    '四つの言葉でできた長い合言葉です',
    'tr0ubador & the goats',
  ])('is taken: %s', (password) => {
    expect(problemOf(password)).toBeUndefined();
  });

  it.each([
    ['aaaaaaaaaaaaaaaaaaaa', 'one character'],
    ['123456789012345678', 'digits in a row'],
    ['abcdefghijklmnopqrst', 'the alphabet'],
    ['qwertyuiopasdfghjkl', 'rows of the keyboard'],
    ['poiuytrewqlkjhgfdsa', 'the same backwards'],
    ['passwordpassword', 'a common password twice'],
    ['Password!!!!!!!!!!', 'a common password and one character'],
    ['baseball12345678', 'a common password and a row'],
    ['x9!x9!x9!x9!x9!x9!', 'three characters again and again'],
    ['clewclewclewclew', 'the product'],
    ['ada.lovelace@example.org', 'the address'],
    ['LovelaceLovelace1', 'the name'],
    ['lovelace-example-1', 'both'],
  ])('is refused: %s (%s)', (password) => {
    expect(problemOf(password)).toBe('is too easy to guess');
  });

  it('is refused when it is among the most common ones that are long enough', () => {
    expect(problemOf('1qaz2wsx3edc4rfv')).toBe('is too easy to guess');
    expect(problemOf('supernatural', 12)).toBe('is too easy to guess');
  });

  it('must be long enough in characters, not in bytes, and not too long', () => {
    expect(problemOf('short')).toBe('must have at least 15 characters');
    expect(problemOf('four words here', 15)).toBeUndefined();
    expect(problemOf('四つの言葉でできた長い合')).toBe('must have at least 15 characters');
    expect(problemOf('kX'.repeat(10).padEnd(257, 'correct horse'))).toBe('must have at most 256 characters');
    expect(problemOf(`${'four words here '}\ud800`)).toBe('must be well-formed text');
  });

  it('is taken when it is random, whatever its characters', () => {
    fc.assert(
      fc.property(
        fc.uuid({ version: 4 }),
        fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 }),
        (random, text) => {
          expect(problemOf(random + text)).toBeUndefined();
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is judged, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.string(), fc.string(), (text, email, name) => {
        void problemOfPassword(text, 12, { email, name });
      }),
      { numRuns: 200 },
    );
  });
});
