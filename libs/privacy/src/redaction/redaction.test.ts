import { describe, expect, it } from '@jest/globals';
import { createRedactor } from './index.ts';
import { ORDINARY } from './test-support/ordinary.ts';
import { PLANTED } from './test-support/planted.ts';

const redact = (text: string, names: readonly string[] = []): string => createRedactor({ names }).text(text);

describe('personal data and secrets', () => {
  it.each(PLANTED)('are gone from %j', (text, sensitive) => {
    expect(text).toContain(sensitive);
    expect(redact(text)).not.toContain(sensitive);
  });

  it.each(PLANTED)('are gone from a member of a JSON value: %j', (text, sensitive) => {
    expect(JSON.stringify(createRedactor().value({ note: [text] }))).not.toContain(sensitive);
  });

  it('are many in the table, and ordinary texts are twice as many', () => {
    expect(PLANTED.length).toBeGreaterThanOrEqual(100);
    expect(new Set(ORDINARY).size).toBeGreaterThanOrEqual(200);
  });
});

describe('ordinary texts', () => {
  it.each(ORDINARY.map((text) => [text]))('survive: %s', (text) => {
    expect(redact(text)).toBe(text);
    expect(createRedactor().value([text])).toEqual([text]);
  });
});

describe('placeholders', () => {
  it('are numbered by first appearance, for each kind', () => {
    expect(redact('b@x.com, a@x.com, b@x.com and 555-123-4567')).toBe('[email 1], [email 2], [email 1] and [phone 1]');
  });

  it.each([
    ['SARA@Mail.com', 'sara@mail.com'],
    ['4111 1111 1111 1111', '4111-1111-1111-1111'],
    ['(555) 123-4567', '+1 555.123.4567'],
    ['0049 170 1234567', '+49 (170) 12 345 67'],
    ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['123 Elm St', '123 elm street'],
    ['Hauptstr. 5', 'Hauptstraße 5'],
    ['SSN 987-65-4321', 'SSN 987 65 4321'],
  ])('are the same for a value that is written in another way: %s and %s', (one, other) => {
    const redactor = createRedactor();
    expect(redactor.text(other)).toBe(redactor.text(one));
    expect(Object.values(redactor.counts)).toEqual([1]);
  });

  it('are the same in all texts and arguments of one Example, and begin anew in the next', () => {
    const redactor = createRedactor();
    expect(redactor.text('a@x.com')).toBe('[email 1]');
    expect(redactor.value({ to: ['b@x.com', 'a@x.com'] })).toEqual({ to: ['[email 2]', '[email 1]'] });
    expect(redactor.counts).toEqual({ email: 2 });
    expect(redact('b@x.com')).toBe('[email 1]');
  });

  it('that a text already has stay, and are not given to other values', () => {
    expect(redact('Mail [email 1] or c@x.com')).toBe('Mail [email 1] or [email 2]');
  });
});

describe('secrets', () => {
  it.each([
    ['password: Hunter22!secret', 'password: [secret 1]'],
    ['My password is hunter2', 'My password is [secret 1]'],
    ['{"password":"Tr0ub4dor&3"}', '{"password":"[secret 1]"}'],
    ['postgres://admin:s3cr3tpw@db.internal:5432/shop', 'postgres://admin:[secret 1]@db.internal:5432/shop'],
    ['Authorization: Bearer abc123def456ghi789jkl', 'Authorization: Bearer [secret 1]'],
    ['my PIN is 4711', 'my PIN is [secret 1]'],
  ])('go without their label: %s', (text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });

  it('and phone numbers that were found once are found where no word says what they are', () => {
    const redactor = createRedactor();
    redactor.text('My password is Hunter22!, my phone 5551234567');
    expect(redactor.text('I set Hunter22! for 5551234567.')).toBe('I set [secret 1] for [phone 1].');
  });

  it('are all found, however many and long a text is', () => {
    const secrets = Array.from(
      { length: 20_000 },
      (_, index) => `sk-live-AbCdEfGhIjKlMn${String(index).padStart(6, '0')}`,
    );
    const text = secrets.join(' and ');
    expect(text.length).toBeGreaterThan(600_000);
    expect(redact(text)).not.toContain('AbCdEf');
    expect(redact(`${'word '.repeat(60_000)}AKIAIOSFODNN7ABCDEFG`)).not.toContain('AKIA');
    const key = `-----BEGIN PRIVATE KEY-----\n${'QUJD\n'.repeat(1_200)}-----END`;
    expect(redact(`${'word '.repeat(700)}${key}`)).not.toContain('QUJD');
  });
});

describe('a JSON value', () => {
  it('says by the names of its members what their strings are', () => {
    const value = { homePhone: '0301234567', password: 'hunter2', address1: '615 Laurel Hollow', id: '0301234567' };
    expect(createRedactor().value({ ...value, phone_numbers: ['5551234567'] })).toEqual({
      homePhone: '[phone 1]',
      password: '[secret 1]',
      address1: '[address 1]',
      id: '0301234567',
      phone_numbers: ['[phone 2]'],
    });
  });

  it('keeps its names, its numbers and all else that is no string, except the number of a card', () => {
    const value = {
      'a@x.com': 1,
      n: [12, 5551234567, 0.5, -4111111111111111, 4111111111111112, true, null],
      card: 4111111111111111,
    };
    expect(createRedactor().value(value)).toEqual({ ...value, card: '[card 1]' });
    expect(createRedactor().value(JSON.parse('{"__proto__":{"to":"a@x.com"}}'))).toEqual(
      JSON.parse('{"__proto__":{"to":"[email 1]"}}'),
    );
  });

  it('within a text gets quotes around the placeholder of a number', () => {
    expect(redact('{"card": 4111111111111111, "n": 1}')).toBe('{"card": "[card 1]", "n": 1}');
    expect(redact('"{\\"card\\":4111111111111111}"')).toBe('"{\\"card\\":\\"[card 1]\\"}"');
  });
});

describe('addresses', () => {
  it.each([
    ['Ship to 123 Elm St, Apt 4B, Springfield, IL 62704, please.', 'Ship to [address 1], please.'],
    ['I live at 12 High Street. Thanks', 'I live at [address 1]. Thanks'],
    ['Ich wohne in 10115 Berlin, Lindenstraße 12, seit 2020', 'Ich wohne in [address 1], seit 2020'],
    ['Au 12 rue de la Paix, 75002 Paris !', 'Au [address 1] !'],
    ['{"address1": "123 Elm St", "zip": "62704"}', '{"address1": "[address 1]", "zip": "62704"}'],
  ])('go as a whole, and nothing else: %s', (text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });
});

describe('names', () => {
  it.each([
    ['Sara Doe called. Sara said that DOE is her name.', '[name 1] called. [name 1] said that [name 1] is her name.'],
    ['user sara_doe_496 and Sarah stay, sara’s bag is [x]', 'user sara_doe_496 and Sarah stay, [name 1]’s bag is [x]'],
    ['Jorg MULLER and Mia O’Brien', '[name 1] and [name 2]'],
    ['Will you go? Will Young will.', 'Will you go? [name 1] will.'],
    ['Dr. Who, Mr. van der Berg and a berg', 'Dr. Who, Mr. van der [name 1] and a [name 1]'],
  ])('are replaced as whole words, also by their parts: %s', (text, redacted) => {
    expect(redact(text, ['Sara Doe', 'Jörg Müller', "Mia O'Brien", 'Will Young', 'Dr. Pia Berg'])).toBe(redacted);
  });

  it('mean the same person by a part as by the whole', () => {
    const redactor = createRedactor({ names: ['Sara', 'Sara Doe', '', ' - '] });
    expect(redactor.value(['Hi Sara!', { name: 'Sara Doe' }])).toEqual(['Hi [name 1]!', { name: '[name 1]' }]);
    expect(redactor.counts).toEqual({ name: 1 });
  });

  it('are none where none are known', () => {
    expect(redact('Sara Doe')).toBe('Sara Doe');
  });
});
