/** Contents of character classes, as written within brackets: outside of ASCII, tools disagree on their meaning. */
const CLASSES: Readonly<Record<string, string>> = {
  d: '0-9',
  w: 'A-Za-z0-9_',
  s: '\\t-\\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
  'p{Cc}': '\\x00-\\x1f\\x7f-\\x9f',
};
const TOKEN = /\\p\{\w+\}|\\u[\da-f]{4}|\\[\s\S]|\(\?(?!:)[\s\S]|[\s\S]/gi;

/**
 * Rewrites a JavaScript regular expression so that other engines (Python, Go, Rust, Java) read it alike. Throws if that
 * is impossible.
 */
export function portablePattern(source: string): string {
  let isInBrackets = false;
  const tokens = source.match(TOKEN) ?? [];
  return tokens
    .map((token) => {
      // Rust reads a bracket within brackets as a nested set.
      if (token.startsWith('(?') || (token === '[' && isInBrackets)) throw unreadable(token, source);
      if (token === '[') isInBrackets = true;
      else if (token === ']') isInBrackets = false;
      return token.startsWith('\\') ? portableEscape(token, isInBrackets, source) : token;
    })
    .join('');
}

function portableEscape(token: string, isInBrackets: boolean, source: string): string {
  const escaped = token.slice(1);
  const characters = CLASSES[escaped];
  if (characters !== undefined) return isInBrackets ? characters : `[${characters}]`;
  const complement = CLASSES[escaped.toLowerCase()];
  if (complement !== undefined && !isInBrackets) return `[^${complement}]`;
  if (escaped === '/') return '/';
  if (escaped.startsWith('u') && escaped.length === 5) return portableCharacter(Number.parseInt(escaped.slice(1), 16));
  if (/^[a-z0-9]/i.test(escaped) && !['t', 'n', 'r', 'x'].includes(escaped)) {
    throw unreadable(token, source);
  }
  return token;
}

/** Escapes characters of one byte, which may have a special meaning or be invisible. */
function portableCharacter(code: number): string {
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : String.fromCharCode(code);
}

function unreadable(token: string, source: string): Error {
  return new Error(`Not every tool reads "${token}" in the pattern ${source}`);
}
