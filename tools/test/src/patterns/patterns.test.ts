import { beforeAll, describe, expect, it } from '@jest/globals';
import { superLinearGrowth } from '@clew/testing/hostile';
import { attacksOn } from './attacks.ts';
import { patternsBuiltBy, patternsIn, patternsOf, productFiles, type ProductPattern } from './product-patterns.ts';

/** The long tier tries every prefix of each pattern, about four times the attacks, and longer texts. */
const IS_QUICK = process.env['CLEW_HOSTILE_TEXTS'] !== 'all';
/** Length at which a linear pattern takes some microseconds, and a quadratic one near a millisecond or more. */
const GROWTH = { length: IS_QUICK ? 2_000 : 6_000, floorMs: 0.2 };
const TIMEOUT_MS = 600_000;

const files = productFiles().map((path) => ({ path, ...patternsIn(path) }));
const projects = [...new Set(files.map(({ path }) => path.split('/').slice(0, 2).join('/')))];
let patterns: ProductPattern[] = [];
let notSeen: string[] = [];

beforeAll(async () => {
  const building = files.filter(({ built }) => built.length > 0);
  const built = await patternsBuiltBy(building.map(({ path }) => path));
  const seen = new Set(built.map(({ place }) => place));
  notSeen = building.flatMap((file) => file.built).filter((place) => !seen.has(place));
  const all = [...files.flatMap(({ literals }) => literals), ...built];
  patterns = [...new Map(all.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern])).values()];
}, TIMEOUT_MS);

describe('the patterns of the product', () => {
  it('are all found, also those that are put together from parts', () => {
    expect(patterns.length).toBeGreaterThan(500);
    expect(notSeen).toEqual([]);
  });

  it.each(projects)(
    'take time that is linear in the length of a text, whatever it holds: %s',
    (project) => {
      const own = patterns.filter(({ place }) => place.startsWith(`${project}/`));
      expect(own.flatMap(slownessOf)).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

describe('a pattern in a source', () => {
  it.each([
    ['as a literal', String.raw`text.replace(/\s+$/, '')`, [1, 0]],
    ['of parts', String.raw`new RegExp('\s+$') + RegExp(part)`, [0, 2]],
    ['by another name', String.raw`const Pattern = RegExp; Reflect.construct(globalThis.RegExp, ['a'])`, [0, 2]],
    ['as a text', "text.match('a$') ?? text.search(`${part}$`) ?? text.matchAll('a' + part)", [0, 3]],
    [
      'in name only',
      'const isPattern = (value: RegExp | string) => value instanceof RegExp && text.search(value)',
      [0, 0],
    ],
  ])('is found: %s', (_, source, expected) => {
    const { literals, built } = patternsOf('here.ts', source);
    expect([literals.length, built.length]).toEqual(expected);
  });
});

describe('patterns that are too slow', () => {
  it.each([
    ['line breaks that two parts share', /^\s*#{0,4}\s*(system|developer)( prompt| message)?\s*:/m],
    ['a run before what has to follow', /\\+(?=["'/])/g],
    ['a run at the end', /[\s"”]+$/],
    ['marks that end no sentence', /[.!?]+["”)]*(?=\s+["“(]?[\p{Lu}\p{Nd}])|\n+/gu],
    ['a word, from each of which the rest is looked through', /\bfirst\b.+\b(then|next)\b/],
    ['names of names', /\b((?:name|id)(?: (?:name|id|is))*(?: is|:|=) ?)([^\n.,;<>()]{1,60})/gi],
    ['quotes that are not closed', /"((?:[^"\\]|\\.)*)"(\s*:)?/g],
    ['tags that are not closed', /<a\b[^>]*?\bhref\s*=/gi],
    ['a choice that is repeated within a repetition', /^(?:a+)+$/],
    ['a boundary that comes again and again', /\b(?:no|\p{L}+n['’]t)\b/giu],
  ])('are noticed: %s', (_, { source, flags }) => {
    expect(slownessOf({ place: 'here', source, flags })).toHaveLength(1);
  });

  it.each([/[^\s@<>"'(]{1,30}@/g, /"([^"\n]{1,200})"/g, /^[^\S\n]*(?:#{1,4}[^\S\n]*)?system\s*:/, /\s+/g])(
    'are not those that look through a bounded part only: %s',
    ({ source, flags }) => {
      expect(slownessOf({ place: 'here', source, flags })).toEqual([]);
    },
  );
});

/** First attack text on which the pattern is slow, if any; the pattern is tried at all positions of the text. */
function slownessOf({ place, source, flags }: ProductPattern): string[] {
  const everywhere = new RegExp(source, `${flags.replace(/[gy]/g, '')}g`);
  for (const text of attacksOn(source, flags, IS_QUICK)) {
    const growth = superLinearGrowth((content) => content.replace(everywhere, ''), text, GROWTH);
    if (growth !== undefined) return [`${place} /${source}/${flags} on ${text.name}: ${growth}`];
  }
  return [];
}
