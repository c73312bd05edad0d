import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readJson } from './read-json.ts';
import { parseStrictly, type StrictJson } from './strict-json.ts';

const LIMITS = { maxDepth: 64 };
const IS_TWICE = 'is given twice';
const IS_BEYOND = expect.stringContaining('must not be an integer beyond 9007199254740991 either way');
const OVERFLOWS = 'is beyond the range of a double';

/** Piece of JSON text with its problems, by their paths below the piece. */
interface Piece {
  text: string;
  problems: { path: (string | number)[]; message: unknown }[];
}

const fine = (text: string): Piece => ({ text, problems: [] });
const space = fc.constantFrom('', ' ', '\n\t');
/** Names written in several ways, so that one name has several texts. */
const name = fc.constantFrom(
  ...['\u2028', '\u007f', '/*', '//', 'a\\/b', ':', ',', '{', '\\\\'],
  ...['a', 'b', '\\u0061', '__proto__', '', 'a.b', '\\"', 'é', '\\ud83d\\ude00', 'toString'],
);

const exactNumber = fc.oneof(
  fc.maxSafeInteger().map(String),
  fc.double({ min: -1e15, max: 1e15, noNaN: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom('1.0', '1e3', '10E+2', '-0', '0.1', '1e-400', '9007199254740991', '-9007199254740991.0'),
  fc.constantFrom('900719925474099.1e1', '1e21', '-1E30', '6.02214076e+23', '1000000000000000000000.5'),
  fc.double({ min: 1e21, noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(-value)),
);
const inexactNumber = fc.oneof(
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }).map(String),
  fc.bigInt({ min: -(2n ** 80n), max: -(2n ** 53n) }).map(String),
  fc.constantFrom('9007199254740993.0', '1e16', '9007199254740993e0', '90071992547409920e-1', '9007199254740993.5'),
  fc.constantFrom('999999999999999900000e0', `1${'0'.repeat(30)}`),
);

const { piece } = fc.letrec<{ piece: Piece }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc
      .oneof(
        exactNumber,
        fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(safe(value))),
      )
      .map(fine),
    inexactNumber.map((text) => ({ text, problems: [{ path: [], message: IS_BEYOND }] })),
    fc.constantFrom('1e400', '-1e400').map((text) => ({ text, problems: [{ path: [], message: OVERFLOWS }] })),
    { weight: 4, arbitrary: fc.tuple(fc.array(tie('piece'), { maxLength: 4 }), space).map(listOf) },
    { weight: 6, arbitrary: fc.tuple(fc.array(fc.tuple(name, tie('piece')), { maxLength: 5 }), space).map(objectOf) },
  ),
}));

/** Replaces numbers in a generated value that would not stay exact. */
function safe(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'number' && Math.abs(part) > 1e15 ? 1 : part,
  );
  return JSON.parse(text) as unknown;
}

function listOf([pieces, gap]: [Piece[], string]): Piece {
  return {
    text: `[${gap}${pieces.map(({ text }) => text).join(`${gap},`)}${gap}]`,
    problems: pieces.flatMap(({ problems }, index) => below(index, problems)),
  };
}

function objectOf([members, gap]: [[string, Piece][], string]): Piece {
  const seen = new Set<string>();
  const problems = members.flatMap(([written, part]) => {
    const read = JSON.parse(`"${written}"`) as string;
    const twice = seen.has(read) ? [{ path: [read], message: IS_TWICE }] : [];
    seen.add(read);
    return [...twice, ...below(read, part.problems)];
  });
  return {
    text: `{${members.map(([written, { text }]) => `${gap}"${written}"${gap}:${text}`).join()}${gap}}`,
    problems,
  };
}

function below(place: string | number, problems: Piece['problems']): Piece['problems'] {
  return problems.map(({ path, message }) => ({ path: [place, ...path], message }));
}

function problemsOf(read: StrictJson) {
  return 'problems' in read ? read.problems : [];
}

describe('parseStrictly', () => {
  it('gives what JSON.parse gives, or names each number and each member that it would change', () => {
    fc.assert(
      fc.property(piece, ({ text, problems }) => {
        const read = parseStrictly(text, LIMITS);
        if (problems.length === 0) expect(read).toEqual({ value: readJson(text), valueCount: expect.any(Number) });
        else {
          const named = problems.slice(0, 100).map(({ path, message }) => ({ path: path.join('.'), message }));
          expect(read).toEqual({ isJson: true, problems: named });
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('accepts only values that come back as they were sent, and takes them again', () => {
    fc.assert(
      fc.property(piece, ({ text }) => {
        const read = parseStrictly(text, LIMITS);
        if (!('value' in read)) return;
        const again = parseStrictly(JSON.stringify(read.value), LIMITS);
        expect(again).toEqual({ value: readJson(JSON.stringify(read.value)), valueCount: expect.any(Number) });
      }),
    );
  });

  it('never throws, and refuses what JSON.parse refuses', () => {
    const tokens = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '1',
      '-',
      'e9',
      '.',
      'true',
      'n',
      ' ',
      '/*',
    );
    const texts = fc.oneof(
      fc.array(tokens).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const read = parseStrictly(text, LIMITS);
        expect('value' in read || read.isJson).toBe(isJson(text));
        if (!('value' in read)) expect(read.problems.length).toBeGreaterThan(0);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['{"a":1', '', 'is not valid JSON'],
    ['', '', 'is not valid JSON'],
    ['['.repeat(65) + ']'.repeat(65), '', 'nests deeper than 64 levels'],
    ['9007199254740992', '', IS_BEYOND],
    ['{"a":{"b":[0,-9007199254740992]}}', 'a.b.1', IS_BEYOND],
    ['{"a":1e999}', 'a', OVERFLOWS],
    ['[{"a":1,"b":2,"\\u0061":1}]', '0.a', IS_TWICE],
    ['{"__proto__":1,"__proto__":1}', '__proto__', IS_TWICE],
  ])('refuses %s', (text, path, message) => {
    expect(problemsOf(parseStrictly(text, LIMITS))).toEqual([{ path, message }]);
  });

  it('refuses more values than it may, however small they are', () => {
    const limits = { maxDepth: 64, maxValues: 1_000 };
    expect('value' in parseStrictly(`[${Array(900).fill(1).join()}]`, limits)).toBe(true);
    const refused = parseStrictly(`[${Array(1_001).fill(1).join()}]`, limits);
    expect(refused).toEqual({ isJson: false, problems: [{ path: '', message: 'holds more than 1000 values' }] });
  });

  it('refuses more members of objects than it may, repeated ones included', () => {
    const limits = { maxDepth: 64, maxMembers: 1_000 };
    const text = (count: number) => `[${Array(count).fill('{"a":1}').join()}]`;
    expect('value' in parseStrictly(text(1_000), limits)).toBe(true);
    const refused = parseStrictly(text(1_001), limits);
    expect(refused).toMatchObject({
      isJson: false,
      problems: [{ message: 'holds more than 1000 members of objects' }],
    });
  });

  it('names a hundred problems of however many there are', () => {
    const text = `[${Array(10_000).fill('1e999').join()}]`;
    expect(problemsOf(parseStrictly(text, LIMITS))).toHaveLength(100);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
