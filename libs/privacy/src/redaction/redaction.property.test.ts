import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { processorTimeMs } from '@clew/testing';
import { createRedactor } from './index.ts';
import { ORDINARY } from './test-support/ordinary.ts';
import { PLANTED } from './test-support/planted.ts';

const NAMES = ['Sara Doe', 'Jörg Müller', "Mia O'Brien", 'Will Young', 'Ann'];
const PLACEHOLDER = /\[(?:email|phone|card|iban|secret|address|ssn|name) \d{1,5}\]/g;

const planted = fc.constantFrom(...PLANTED.map(([text]) => text));
/** Texts that put values next to each other, to ordinary texts and to marks. */
const anyText = fc
  .array(
    fc.oneof(
      planted,
      fc.constantFrom(...ORDINARY, ...NAMES),
      fc.constantFrom(
        ' ',
        ', ',
        '\n',
        '. ',
        '-',
        '"',
        '\\"',
        ': ',
        '@',
        '1',
        '[',
        ']',
        'call ',
        'password: ',
        '[email 3]',
      ),
      fc.string({ unit: 'binary', maxLength: 10 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
const anyJson = fc.jsonValue({ stringUnit: 'grapheme' }).chain((value) =>
  fc.record({
    value: fc.constant(value),
    text: anyText,
    password: planted,
    list: fc.array(anyText, { maxLength: 3 }),
  }),
);

/** Names, kinds and order of all that a JSON value has, without its strings. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return 'string';
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).map(([name, member]) => [name, shapeOf(member)]);
}

describe('a redacted text', () => {
  it('stays the same when it is redacted again, by the same redactor and by a new one', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const redactor = createRedactor({ names: NAMES });
        const redacted = redactor.text(text);
        expect(redactor.text(redacted)).toBe(redacted);
        expect(createRedactor({ names: NAMES }).text(redacted)).toBe(redacted);
      }),
      { numRuns: 1_000 },
    );
  });

  it('keeps the placeholders that it had, in their order', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const kept = text.match(PLACEHOLDER) ?? [];
        const all = (createRedactor({ names: NAMES }).text(text).match(PLACEHOLDER) ?? []).values();
        for (const placeholder of kept) expect(all.some((one) => one === placeholder)).toBe(true);
      }),
    );
  });

  it('has the same placeholder for the same value, in whatever texts of an Example it is', () => {
    fc.assert(
      fc.property(planted, anyText, planted, (value, between, other) => {
        const redactor = createRedactor();
        const first = redactor.text(value);
        redactor.text(between);
        redactor.value({ note: other });
        expect(redactor.text(value)).toBe(first);
      }),
    );
  });
});

describe('a redacted JSON value', () => {
  it('has the same members, and all but its strings are as they were', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const redactor = createRedactor({ names: NAMES });
        const redacted = redactor.value(value);
        expect(shapeOf(redacted)).toEqual(shapeOf(value));
        expect(redactor.value(redacted)).toEqual(redacted);
      }),
    );
  });

  it('is valid as a text, too, where it was', () => {
    fc.assert(
      fc.property(
        anyJson,
        fc.constantFrom(4111111111111111, 5551234567, 12),
        fc.constantFrom(0, 2),
        (value, number, indent) => {
          fc.pre(!/\d{13}/.test(JSON.stringify(value.value)));
          const text = JSON.stringify({ card: number, phone: number, value }, null, indent);
          expect(() => JSON.parse(createRedactor().text(text)) as unknown).not.toThrow();
        },
      ),
    );
  });
});

/** The long tier tries texts of the length that a message may have; the time that is allowed follows the length. */
const LENGTH = process.env['CLEW_HOSTILE_TEXTS'] === 'all' ? 200_000 : 50_000;
const ALLOWED_MS = LENGTH / 200;

/** Processor time of the quickest of some tries, since a busy machine slows others; one that is quick enough is enough. */
function quickestMs(work: () => unknown): number {
  let quickest = Infinity;
  for (let tries = 0; tries < 5 && quickest >= ALLOWED_MS; tries += 1) {
    const startMs = processorTimeMs();
    work();
    quickest = Math.min(quickest, processorTimeMs() - startMs);
  }
  return quickest;
}

describe(`a hostile text of ${LENGTH} characters`, () => {
  const PIECES = [
    ['a', '@', '.', 'a@', 'a.', 'a@b.', '-'],
    ['1', '1 ', '1-', '+1', '00', '(1', '4111 ', '4111111111111111 ', '0170 1', '1a ', '5 A ', '12 Elm '],
    [
      'password: ',
      'password:1',
      'eyJ',
      'eyJ-',
      'eyJaaaaaaaaaa.',
      'sk-',
      'Bearer 1',
      'http://a:',
      '-----BEGIN ',
      'AKIA',
    ],
    [
      'DE89',
      'A1',
      'Straße ',
      'str.',
      'aweg',
      'rue de ',
      '1 rue la ',
      '1 rue la aweg',
      'PO Box 1',
      'Calle de ',
      'address: 1 ',
      ' dot ',
      ' at ',
    ],
    ['Sara ', 'Sara Doe ', 'Sara-', '[email 1]', '[email ', '\\n', '\\u00e4', '"', '\\"', ' ', '\n', '\u0301', '😀'],
  ].flat();

  it.each(PIECES.map((piece) => [piece]))('takes little time, and is read to its end: %j again and again', (piece) => {
    for (const end of ['', '@b.co']) {
      const text = piece.repeat(Math.ceil(LENGTH / piece.length)) + end;
      const redactor = createRedactor({ names: NAMES });
      const redacted = redactor.text(text);
      expect(quickestMs(() => createRedactor({ names: NAMES }).text(text))).toBeLessThan(ALLOWED_MS);
      expect(redactor.text(redacted) === redacted).toBe(true);
    }
  });

  it('takes little time: any two pieces, one after the other', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PIECES), fc.constantFrom(...PIECES), (first, second) => {
        const piece = first + second;
        const text = piece.repeat(Math.ceil(LENGTH / piece.length));
        expect(quickestMs(() => createRedactor({ names: NAMES }).text(text))).toBeLessThan(ALLOWED_MS);
      }),
      { numRuns: 25 },
    );
  });

  it('takes little time where it is full of values', () => {
    for (const [text] of PLANTED.filter((_, index) => index % 8 === 0)) {
      const long = `${text} `.repeat(Math.ceil(LENGTH / text.length));
      expect(quickestMs(() => createRedactor().text(long))).toBeLessThan(ALLOWED_MS);
    }
  });
});
