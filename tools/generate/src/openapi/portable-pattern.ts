/** Written out, since tools disagree on what these stand for beyond ASCII; as they stand within brackets. */
const CLASSES: Readonly<Record<string, string>> = {
  d: '0-9',
  w: 'A-Za-z0-9_',
  s: '\\t-\\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
  'p{Cc}': '\\x00-\\x1f\\x7f-\\x9f',
};
const TOKEN = /\\p\{\w+\}|\\u[\da-f]{4}|\\[\s\S]|\(\?(?!:)[\s\S]|[\s\S]/gi;

/**
 * A regular expression of JavaScript in the part of its syntax that other engines read alike (Python, Go, Rust, Java).
 * Throws where there is no such thing.
 */
export function portablePattern(source: string): string {
  let isInBrackets = false;
  const tokens = source.match(TOKEN) ?? [];
  return tokens
    .map((token) => {
      // Rust reads a bracket within brackets as a set within a set.
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

/** Those of one byte may mean something in a pattern, or be none that can be seen. */
function portableCharacter(code: number): string {
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : String.fromCharCode(code);
}

function unreadable(token: string, source: string): Error {
  return new Error(`Not every tool reads "${token}" in the pattern ${source}`);
}
