/** Piece of a text: what it says, or a character that would not be seen and is named instead. */
export type TextPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'hidden'; readonly text: string; readonly name: string };

const NAMES: Readonly<Record<string, string>> = {
  '\u00ad': 'soft hyphen',
  '\u034f': 'grapheme joiner',
  '\u061c': 'Arabic letter mark',
  '\u115f': 'Hangul filler',
  '\u1160': 'Hangul filler',
  '\u180e': 'Mongolian vowel separator',
  '\u200b': 'zero-width space',
  '\u200c': 'zero-width non-joiner',
  '\u200d': 'zero-width joiner',
  '\u200e': 'left-to-right mark',
  '\u200f': 'right-to-left mark',
  '\u2028': 'line separator',
  '\u2029': 'paragraph separator',
  '\u202a': 'left-to-right embedding',
  '\u202b': 'right-to-left embedding',
  '\u202c': 'end of direction',
  '\u202d': 'left-to-right override',
  '\u202e': 'right-to-left override',
  '\u2060': 'word joiner',
  '\u2066': 'left-to-right isolate',
  '\u2067': 'right-to-left isolate',
  '\u2068': 'first strong isolate',
  '\u2069': 'end of isolate',
  '\u3164': 'Hangul filler',
  '\ufeff': 'byte order mark',
  '\uffa0': 'Hangul filler',
};

/**
 * Characters that change how a text is read without being seen: controls of direction, characters without width,
 * control characters but tab and line breaks, and the tag characters in which text can be hidden.
 */
const HIDDEN =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- these are the characters to be found
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Joins two halves of one picture, as in emoji of families; there it hides nothing. */
const ZERO_WIDTH_JOINER = '\u200d';
const PICTOGRAPH = /^\p{Extended_Pictographic}/u;
const VARIATION_OR_TONE = /(?:\ufe0f|[\u{1f3fb}-\u{1f3ff}])$/u;

/** Splits a text at its hidden characters. The pieces joined are the text again. */
export function visiblePieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    const [character] = match;
    if (character === ZERO_WIDTH_JOINER && joinsPictographs(text, match.index)) continue;
    if (match.index > from) pieces.push({ kind: 'text', text: text.slice(from, match.index) });
    pieces.push({ kind: 'hidden', text: character, name: nameOf(character) });
    from = match.index + character.length;
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) });
  return pieces;
}

/** Text in one line for places that hold plain text only, such as titles: hidden characters stand as `⟨U+202E⟩`. */
export function visibleText(text: string): string {
  return visiblePieces(text)
    .map((piece) => (piece.kind === 'text' ? piece.text : `⟨${codePointOf(piece.text)}⟩`))
    .join('');
}

/** Code point of a character as `U+202E`. */
export function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function nameOf(character: string): string {
  return NAMES[character] ?? (character > '\u{e0000}' ? 'tag character' : 'control character');
}

function joinsPictographs(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 4), at);
  const last = [...before].findLast((character) => !VARIATION_OR_TONE.test(character));
  return last !== undefined && PICTOGRAPH.test(last) && PICTOGRAPH.test(text.slice(at + 1, at + 3));
}
