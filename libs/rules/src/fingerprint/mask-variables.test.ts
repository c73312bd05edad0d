import { describe, expect, it } from '@jest/globals';
import { slowTexts, twoPieceTexts } from '@clew/testing/hostile';
import fc from 'fast-check';
import { maskVariables, readablyMasked, WILDCARD } from './mask-variables.ts';

describe('maskVariables', () => {
  it.each<readonly [string, string]>([
    ['Order W-104233 is locked', 'Order <*> is locked'],
    ['user noah_muller_9847 not found', 'user <*> not found'],
    ['Timeout after 8000 ms', 'Timeout after <*>'],
    ['Timeout after 1.5 min.', 'Timeout after <*>.'],
    ['freed 93.0 KB (of 2 GB), then 5', 'freed <*> (of <*>), then <*>'],
    ['Timeout after 8,000.5ms', 'Timeout after <*>'],
    ['id 550e8400-e29b-41d4-a716-446655440000 is gone', 'id <*> is gone'],
    ['commit deadbeef failed', 'commit <*> failed'],
    ['at 0x7f4c96f54400>', 'at <*>>'],
    ['paid $1,234.50 of 2.000 EUR', 'paid <*> of <*> EUR'],
    ['minus -5% or +3', 'minus <*> or <*>'],
    ['on 2026-05-10 at 10:31:22', 'on <*> at <*>'],
    ['on 2026-05-10T10:31:22.123Z', 'on <*>'],
    ['on 10/05/2026 or 10.5.26', 'on <*> or <*>'],
    ['on May 10, 2026 at 3 pm', 'on <*> at <*>'],
    ['on 10 May it may rain', 'on <*> it may rain'],
    ['no slots on Tuesday', 'no slots on <*>'],
    ['mail jo.lindqvist@example.com now', 'mail <*> now'],
    ['see https://a.example/b?c=d.', 'see <*>.'],
    ['at http://a.example/&a=.', 'at <*>.'],
    ['open /var/log/app.log: denied', 'open <*>: denied'],
    ['open C:\\Users\\jo\\file.txt', 'open <*>'],
    ['open src/tax/brackets.ts', 'open <*>'],
    ['and/or', 'and/or'],
    ["KeyError: 'customer_id'", 'KeyError: <*>'],
    ['relation "orders" does not exist', 'relation <*> does not exist'],
    ['Datei „Bericht“ fehlt', 'Datei <*> fehlt'],
    ['fichier « rapport » absent', 'fichier « rapport » absent'],
    ["the user's order isn't found", "the user's order isn't found"],
    ['ids 1, 2, 3', 'ids <*>'],
    ['order_id=12345', 'order_id=<*>'],
    ['user=jo rhost=db.example.com', 'user=<*> rhost=<*>'],
    ['(role=admin,scope=all)', '(role=<*>,scope=<*>)'],
    ['limit=5;unit=day', 'limit=<*>;unit=<*>'],
    ['from db.example.com:5432 to cache.internal', 'from <*> to <*>'],
    ['java.util.List is no host.', 'java.util.List is no host.'],
    ['device 00:1a:ff:be:ef:aa gone', 'device <*> gone'],
    ['at fe80:aa:bb:cc:dd', 'at <*>'],
    ['10.0.0.1:80/24 refused', '<*> refused'],
    ['  white \n space ', 'white space'],
    ['', ''],
  ])('%j becomes %j', (text, masked) => {
    expect(maskVariables(text)).toBe(masked);
  });

  it('is idempotent', () => {
    const pieces = fc.constantFrom(
      'a',
      '5',
      ' ',
      '"',
      "'",
      '“',
      '”',
      '„',
      '<*>',
      '@',
      '/',
      '.',
      ',',
      '-',
      '(',
      ')',
      'May',
      'pm',
      ':',
      '=',
      '$',
      '\\',
      'é',
    );
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((list) => list.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const masked = maskVariables(text);
        expect(maskVariables(masked)).toBe(masked);
      }),
      { numRuns: 3000, examples: [['/(a=a'], ['a@,a5=a'], ['a=a,5/']] },
    );
  });

  const letters = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 1, maxLength: 12 });
  const variables: Readonly<Record<string, fc.Arbitrary<string>>> = {
    integers: fc.integer().map(String),
    decimals: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map((value) => value.toFixed(2)),
    'amounts with thousands': fc.integer({ min: 0, max: 1e9 }).map((value) => value.toLocaleString('en-US')),
    uuids: fc.uuid(),
    'hex ids': fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 8, maxLength: 40 }),
    codes: fc.tuple(letters, fc.nat()).map(([word, number]) => `${word.toUpperCase()}-${number}`),
    'ids with underscores': fc.tuple(letters, fc.nat()).map(([word, number]) => `${word}_${number}`),
    'ISO times': fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('2099-01-01') })
      .map((date) => date.toISOString()),
    'ISO days': fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('2099-01-01') })
      .map((date) => date.toISOString().slice(0, 10)),
    'e-mail addresses': fc.tuple(letters, letters, letters).map(([name, host, top]) => `${name}@${host}.${top}`),
    'absolute paths': fc.array(letters, { minLength: 2, maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
    'relative paths': fc.array(letters, { minLength: 3, maxLength: 5 }).map((parts) => parts.join('/')),
    urls: fc.webUrl().map((url) => url.replace(/[.,;:!?)\]}]+$/, '')),
    'names in double quotes': fc.array(letters, { minLength: 1, maxLength: 4 }).map((words) => `"${words.join(' ')}"`),
    'names in single quotes': fc.array(letters, { minLength: 1, maxLength: 4 }).map((words) => `'${words.join(' ')}'`),
    'names in typographic quotes': fc
      .array(letters, { minLength: 1, maxLength: 4 })
      .map((words) => `“${words.join(' ')}”`),
  };
  it.each(Object.entries(variables))('two texts that differ only in %s mask to the same', (_, variable) => {
    const word = letters.map((text) => `q${text}`);
    fc.assert(
      fc.property(word, word, variable, variable, (before, after, first, second) => {
        expect(maskVariables(`${before} ${first} ${after}`)).toBe(maskVariables(`${before} ${second} ${after}`));
        expect(maskVariables(`${before}: ${first}.`)).toBe(`${before}: ${WILDCARD}.`);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps texts that differ in their words apart', () => {
    expect(maskVariables('order 5 is locked')).not.toBe(maskVariables('order 5 is shipped'));
  });

  it('takes time that is linear in the length of a text, whatever it holds', () => {
    expect(slowTexts(maskVariables, twoPieceTexts())).toEqual([]);
  }, 300_000);
});

it('for people, an ellipsis stands for each variable part', () => {
  expect(readablyMasked('Order W-104233 of user=jo is locked')).toBe('Order … of user=… is locked');
});
