import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hasEscapedName, readJson } from './read-json.ts';

/** Names that differ only in escaped characters, which V8 confuses. */
const name = fc.constantFrom(
  '\\',
  '"',
  '\n',
  'a',
  'a\\',
  'a"',
  'C:\\',
  'C:\\Users',
  '__proto__',
  '',
  ':',
  '{":',
  '\u2028',
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.oneof(name, fc.constant(null), fc.boolean(), fc.constantFrom(0, -1.5, 1e21), fc.string()),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.uniqueArray(fc.tuple(name, tie('value')), { maxLength: 5, selector: ([text]) => text }).map(objectOf),
  ),
}));

function objectOf(members: [string, unknown][]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [text, part] of members) {
    Object.defineProperty(object, text, { value: part, enumerable: true, writable: true, configurable: true });
  }
  return object;
}

function escapedNames(part: unknown): number {
  if (Array.isArray(part)) return part.reduce((sum: number, entry) => sum + escapedNames(entry), 0);
  if (typeof part !== 'object' || part === null) return 0;
  return Object.entries(part).reduce(
    (sum, [text, entry]) => sum + Number(JSON.stringify(text).includes('\\')) + escapedNames(entry),
    0,
  );
}

describe('readJson', () => {
  it('gives back what was written, whatever names were read before', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, '\t'), (part, gap) => {
        expect(readJson(JSON.stringify(part, undefined, gap))).toEqual(part);
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads again only texts in which a name is escaped', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1), (part, gap) => {
        expect(hasEscapedName(JSON.stringify(part, undefined, gap))).toBe(escapedNames(part) > 0);
      }),
    );
  });

  it('keeps a name that is escaped after another text had a backslash at its place', () => {
    readJson('{"x":1,"\\\\":0}');
    expect(Object.keys(readJson('{"x":1,"\\n":0}') as object)).toEqual(['x', '\n']);
    expect(readJson('{"x":1,"\\u0061":0,"a":2}')).toEqual({ x: 1, a: 2 });
  });

  it('reads a text with an escaped name as JSON.parse does, whatever its values are, however deep they nest', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('', ' ', '\n\t\r '), (json, gap) => {
        const text = `${gap}{${gap}"\\u0061"${gap}:${gap}${json}${gap},"b":[-1.5e+3${gap},true,false${gap},null]}${gap}`;
        expect(readJson(text)).toEqual({ a: JSON.parse(json) as unknown, b: [-1500, true, false, null] });
      }),
    );
    const levels = 100_000;
    let value = readJson(`{"\\u0061":${'['.repeat(levels)}${']'.repeat(levels)}}`) as { a: unknown[] } | unknown[];
    for (let depth = 0; depth < levels; depth += 1) value = Array.isArray(value) ? (value[0] as unknown[]) : value.a;
    expect(value).toEqual([]);
  });

  it('refuses what is not JSON', () => {
    expect(() => readJson('{"\\n":1,}')).toThrow(SyntaxError);
    expect(() => readJson('')).toThrow(SyntaxError);
  });
});
