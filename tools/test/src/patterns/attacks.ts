import { RegExpParser, type AST } from '@eslint-community/regexpp';
import { CHARACTERS, runOf, type HostileText } from '@clew/testing/hostile';
import { distinctTexts } from './alike.ts';

/** Limits per pattern: pieces to try, alternatives of a long choice (only the first count), and repetitions. */
const MAX_PIECES = 20;
const MAX_CHOICES = 6;
const MAX_REPEATED = 64;
/** Endings that keep a run from matching: a character that few patterns contain, on the same line and after it. */
const ENDS = ['\u0001', '\n\u0001'];

/** Limits per pattern: characters that are combined in pairs, and prefixes before those pairs. */
const MAX_CHARACTERS = 8;
const MAX_BEFORE_PAIRS = 4;
/** Limit of prefixes in a quick search. */
const MAX_QUICK_PREFIXES = 3;

/**
 * Attack texts for one pattern: each prefix that the pattern matches, followed by runs of its own parts, of each kind
 * of character and of pairs of its own characters, and then by an ending that does not match. Texts that
 * the pattern cannot tell apart count once. A quick search has the same runs after fewer prefixes.
 */
export function attacksOn(source: string, flags: string, isQuick: boolean): HostileText[] {
  const { pieces, characters } = partsOf(source, flags);
  const distinct = distinctTexts(source, flags);
  const runs = distinct([...CHARACTERS, ...pieces, ...pieces.map((piece) => `${piece} `)]);
  const pairs = characters.flatMap((first) =>
    characters.filter((second) => second !== first).map((second) => first + second),
  );
  const prefixes = isQuick ? pieces.slice(0, MAX_QUICK_PREFIXES) : pieces;
  return [
    ...runsAfter(['', ...distinct(prefixes)], runs),
    ...runsAfter(
      ['', ...(isQuick ? [] : distinct(prefixes.slice(0, MAX_BEFORE_PAIRS)))],
      distinct([...runs, ...pairs]).slice(runs.length),
    ),
  ];
}

function runsAfter(beginnings: readonly string[], runs: readonly string[]): HostileText[] {
  return beginnings.flatMap((before) => runs.flatMap((run) => ENDS.map((after) => runOf(run, { before, after }))));
}

interface Parts {
  /** Texts that the parts of the pattern match, and each prefix of its sequences. */
  pieces: string[];
  /** Characters that it names, and some from its classes. */
  characters: string[];
}

function partsOf(source: string, flags: string): Parts {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const pieces = new Set<string>();
  const characters = new Set<string>();
  const { sample, samplesOf } = samplesFor(flags);
  const visit = (alternatives: readonly AST.Alternative[]): void => {
    for (const { elements } of alternatives.slice(0, MAX_CHOICES)) {
      let matched = '';
      for (const element of elements) {
        matched += sample(element);
        pieces.add(sample(element)).add(matched);
        for (const character of samplesOf(element)) characters.add(character);
      }
      for (const element of elements) visit(alternativesOf(element));
    }
  };
  visit(pattern.alternatives);
  pieces.delete('');
  return { pieces: [...pieces].slice(0, MAX_PIECES), characters: [...characters].slice(0, MAX_CHARACTERS) };
}

function alternativesOf(element: AST.Element): readonly AST.Alternative[] {
  if (element.type === 'Quantifier') return alternativesOf(element.element);
  return 'alternatives' in element ? (element.alternatives as readonly AST.Alternative[]) : [];
}

interface Samples {
  /** Short text that a part of a pattern matches. */
  sample(element: AST.Element): string;
  /** Character that a part names, or two from its class, one of them outside of ASCII if possible. */
  samplesOf(element: AST.Element): string[];
}

function samplesFor(flags: string): Samples {
  const heldBy = (raw: string): string[] => {
    const set = new RegExp(`^${raw}$`, flags.replace(/[gy]/g, ''));
    return CHARACTERS.filter((character) => set.test(character));
  };
  const sample = (element: AST.Element): string => {
    switch (element.type) {
      case 'Character':
        return String.fromCodePoint(element.value);
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return heldBy(element.raw)[0] ?? '';
      case 'Quantifier':
        return sample(element.element).repeat(Math.min(Math.max(element.min, 1), MAX_REPEATED));
      case 'Group':
      case 'CapturingGroup':
        return element.alternatives[0]?.elements.map(sample).join('') ?? '';
      default:
        return '';
    }
  };
  const samplesOf = (element: AST.Element): string[] => {
    if (element.type === 'Quantifier') return samplesOf(element.element);
    if (element.type === 'Character') return [sample(element)];
    if (!element.type.startsWith('Character') && element.type !== 'ExpressionCharacterClass') return [];
    const held = heldBy(element.raw);
    return [...held.slice(0, 1), ...held.filter((character) => character > '\x7f').slice(0, 1)];
  };
  return { sample, samplesOf };
}
