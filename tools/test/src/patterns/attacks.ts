import { RegExpParser, type AST } from '@eslint-community/regexpp';
import { CHARACTERS, runOf, type HostileText } from '@clew/testing/hostile';

/** Pieces of one pattern that are tried; of the words of a long choice the first count. */
const MAX_PIECES = 20;
const MAX_CHOICES = 6;
const MAX_REPEATED = 64;
/** What keeps a run from matching: a character that few patterns know, on the line and behind it. */
const ENDS = ['\u0001', '\n\u0001'];

/**
 * Texts against one pattern: what its beginnings match, each followed by runs of its own parts and of each kind of
 * character, and by something that does not match.
 */
export function attacksOn(source: string, flags: string): HostileText[] {
  const pieces = piecesOf(source, flags);
  const runs = new Set([...CHARACTERS, ...pieces, ...pieces.map((piece) => `${piece} `)]);
  return ['', ...pieces].flatMap((before) =>
    [...runs].flatMap((run) => ENDS.map((after) => runOf(run, { before, after }))),
  );
}

/** What the parts of a pattern match, and what each beginning of its sequences does. */
function piecesOf(source: string, flags: string): string[] {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const pieces = new Set<string>();
  const sample = samplesFor(flags);
  const visit = (alternatives: readonly AST.Alternative[]): void => {
    for (const { elements } of alternatives.slice(0, MAX_CHOICES)) {
      let matched = '';
      for (const element of elements) {
        matched += sample(element);
        pieces.add(sample(element)).add(matched);
      }
      for (const element of elements) visit(alternativesOf(element));
    }
  };
  visit(pattern.alternatives);
  pieces.delete('');
  return [...pieces].slice(0, MAX_PIECES);
}

function alternativesOf(element: AST.Element): readonly AST.Alternative[] {
  if (element.type === 'Quantifier') return alternativesOf(element.element);
  return 'alternatives' in element ? (element.alternatives as readonly AST.Alternative[]) : [];
}

/** Gives for a part of a pattern a short text that it matches. */
function samplesFor(flags: string): (element: AST.Element) => string {
  const oneOf = (raw: string): string => {
    const set = new RegExp(`^${raw}$`, flags.replace(/[gy]/g, ''));
    return CHARACTERS.find((character) => set.test(character)) ?? '';
  };
  const sample = (element: AST.Element): string => {
    switch (element.type) {
      case 'Character':
        return String.fromCodePoint(element.value);
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return oneOf(element.raw);
      case 'Quantifier':
        return sample(element.element).repeat(Math.min(Math.max(element.min, 1), MAX_REPEATED));
      case 'Group':
      case 'CapturingGroup':
        return element.alternatives[0]?.elements.map(sample).join('') ?? '';
      default:
        return '';
    }
  };
  return sample;
}
