import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';

/** Parts that the borders of words and of lines distinguish, in whatever pattern they stand. */
const BORDERS = ['\\w', '[\\n\\r\\u2028\\u2029]'];
const heldByPart = new Map<string, (character: string) => boolean>();

/**
 * Keeps the first of those texts that a pattern cannot tell apart: each of its parts, and each border, holds the same
 * characters of both. A pattern that compares a text with itself can tell all of them apart.
 */
export function distinctTexts(source: string, flags: string): (texts: readonly string[]) => string[] {
  const mode = flags.replace(/[gy]/g, '');
  const isUnicode = /[uv]/.test(flags);
  const raws = rawPartsOf(source, flags);
  if (raws === undefined) return (texts) => [...new Set(texts)];
  const parts = [...BORDERS, ...raws].map((raw) => holder(raw, mode));
  const kindByCharacter = new Map<string, string>();
  const kindOf = (character: string): string => {
    const known = kindByCharacter.get(character) ?? parts.map((holds) => (holds(character) ? '1' : '0')).join('');
    kindByCharacter.set(character, known);
    return known;
  };
  const kindsOf = (text: string) => (isUnicode ? [...text] : text.split('')).map(kindOf).join();
  return (texts) => {
    const first = new Map<string, string>();
    for (const text of texts) {
      const kinds = kindsOf(text);
      if (!first.has(kinds)) first.set(kinds, text);
    }
    return [...first.values()];
  };
}

/** Sources of the parts of a pattern that each hold one character; undefined if it refers back to what it has matched. */
function rawPartsOf(source: string, flags: string): Set<string> | undefined {
  const raws = new Set<string>();
  let refersBack = false;
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  // Parts of a class are not parts of the pattern: `?` within one is a character.
  const add = ({ raw, parent }: { raw: string; parent: { type: string } | null }) => {
    if (!/Class|String/.test(parent?.type ?? '')) raws.add(raw);
  };
  visitRegExpAST(pattern, {
    onBackreferenceEnter: () => void (refersBack = true),
    onCharacterEnter: add,
    onCharacterSetEnter: add,
    onCharacterClassEnter: add,
    onExpressionCharacterClassEnter: add,
  });
  return refersBack ? undefined : raws;
}

function holder(raw: string, mode: string): (character: string) => boolean {
  const key = `${mode}/${raw}`;
  const known = heldByPart.get(key);
  if (known !== undefined) return known;
  const pattern = new RegExp(`^(?:${raw})$`, mode.replace('m', ''));
  const holds = (character: string) => pattern.test(character);
  heldByPart.set(key, holds);
  return holds;
}
