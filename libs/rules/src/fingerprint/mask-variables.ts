/** What stands in a masked text where something variable stood. */
export const WILDCARD = '<*>';

/** Quotation marks, opening and closing. */
const CLOSING_MARK: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '„': '“',
  '‘': '’',
  '«': '»',
};
/** An opening mark stands at the start or after one of these: `user's` opens nothing. */
const BEFORE_OPENING = new Set([' ', '(', '[', '{', '=', ':', ',']);
/** A closing mark stands at the end or before one of these. */
const AFTER_CLOSING = new Set([' ', ')', ']', '}', ',', '.', ';', ':', '!', '?']);

const TIME_WORDS = new Set(
  (
    'january february march april may june july august september october november december ' +
    'jan feb mar apr jun jul aug sep sept oct nov dec am pm a.m p.m utc gmt est edt cst cdt pst pdt cet cest'
  ).split(' '),
);
const WEEKDAYS = new Set(
  'monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun'.split(' '),
);

const EMAIL_OR_URL = /[^\s]:\/\/[^\s]|^www\.|[^@\s]@[^@\s]/u;
const PATH_START = /^(?:~?\/|\.{1,2}\/|[A-Za-z]:[\\/])[^\s]/u;
const FILE_IN_FOLDER = /\/[^\s/]*\.[A-Za-z0-9]{1,5}$/u;
const OPENING_PUNCTUATION = new Set('([{.,;:!?');
const CLOSING_PUNCTUATION = new Set(')]}.,;:!?');
/** A run of word characters; digits may be joined by separators (`1,234.50`, `10:30`, `2024/05/10`). */
const WORD_RUN = /[$€£#+~-]?[\p{L}\p{N}_]+(?:(?:[-]|(?<=\p{N})[.,:/+](?=\p{N}))[\p{L}\p{N}_]+)*%?/gu;
/** Most words of a text need no closer look. */
const PLAIN_WORD = /^[A-Za-z]{1,40}$/;
const HAS_DIGIT = /\p{N}/u;
const LETTERS_ONLY_HEX = /^[a-f]{8,}$/i;

/**
 * Replaces the variable parts of a text by `<*>`: ids, UUIDs, hex, numbers, dates, times, e-mail addresses, URLs,
 * paths and quoted text. There is one wildcard for all of them, because the same value can look like a number in one
 * conversation and like an id in the next. Idempotent, and linear in the length of the text.
 */
export function maskVariables(text: string): string {
  const line = maskQuoted(text.normalize('NFC').replace(/\s+/gu, ' ').trim());
  return joinWildcards(maskTimeWords(line.split(' ').map(maskToken)));
}

function maskQuoted(text: string): string {
  const closings = closingPositions(text);
  let masked = '';
  let copiedTo = 0;
  for (let index = 0; index < text.length; index += 1) {
    const closing = CLOSING_MARK[text.charAt(index)];
    if (closing === undefined || !(index === 0 || BEFORE_OPENING.has(text.charAt(index - 1)))) continue;
    const end = nextPosition(closings.get(closing), index + 1);
    if (end === undefined) continue;
    masked += text.slice(copiedTo, index) + WILDCARD;
    copiedTo = end + 1;
    index = end;
  }
  return masked + text.slice(copiedTo);
}

interface Positions {
  readonly at: number[];
  /** Where the last search stopped: searches only move forward, so all of them together are linear. */
  cursor: number;
}

function closingPositions(text: string): Map<string, Positions> {
  const positions = new Map<string, Positions>();
  for (const mark of Object.values(CLOSING_MARK)) positions.set(mark, { at: [], cursor: 0 });
  for (let index = 1; index < text.length; index += 1) {
    const known = positions.get(text.charAt(index));
    if (known === undefined || text.charAt(index - 1) === ' ') continue;
    if (index === text.length - 1 || AFTER_CLOSING.has(text.charAt(index + 1))) known.at.push(index);
  }
  return positions;
}

function nextPosition(positions: Positions | undefined, from: number): number | undefined {
  if (positions === undefined) return undefined;
  while ((positions.at[positions.cursor] ?? Infinity) < from) positions.cursor += 1;
  return positions.at[positions.cursor];
}

function maskToken(token: string): string {
  if (PLAIN_WORD.test(token))
    return WEEKDAYS.has(token.toLowerCase()) || LETTERS_ONLY_HEX.test(token) ? WILDCARD : token;
  const { start, end } = coreOf(token);
  const core = token.slice(start, end);
  if (core === '') return token;
  if (isLocator(core) || WEEKDAYS.has(core.toLowerCase())) {
    return `${token.slice(0, start)}${WILDCARD}${token.slice(end)}`;
  }
  return token.replace(WORD_RUN, (run) => (HAS_DIGIT.test(run) || LETTERS_ONLY_HEX.test(run) ? WILDCARD : run));
}

/** Where the token is without the punctuation around it. */
function coreOf(token: string): { start: number; end: number } {
  let start = 0;
  let end = token.length;
  while (start < end && OPENING_PUNCTUATION.has(token.charAt(start))) start += 1;
  while (end > start && CLOSING_PUNCTUATION.has(token.charAt(end - 1))) end -= 1;
  return { start, end };
}

function isLocator(core: string): boolean {
  return (
    EMAIL_OR_URL.test(core) || PATH_START.test(core) || FILE_IN_FOLDER.test(core) || core.split(/[\\/]/).length > 2
  );
}

/** A month or `pm` beside something masked belongs to it: `May 10` and `10 May` are dates, `may` is not. */
function maskTimeWords(tokens: readonly string[]): string[] {
  const masked = [...tokens];
  for (let index = masked.length - 2; index >= 0; index -= 1) {
    if (isTimeWord(masked[index] ?? '') && (masked[index + 1] ?? '').startsWith(WILDCARD)) masked[index] = WILDCARD;
  }
  for (let index = 1; index < masked.length; index += 1) {
    if (isTimeWord(masked[index] ?? '') && (masked[index - 1] ?? '').endsWith(WILDCARD)) masked[index] = WILDCARD;
  }
  return masked;
}

function isTimeWord(token: string): boolean {
  const { start, end } = coreOf(token);
  return TIME_WORDS.has(token.slice(start, end).toLowerCase());
}

/** Neighbouring wildcards are one, so that a list of three ids and a list of two are the same. */
function joinWildcards(tokens: readonly string[]): string {
  const joined: string[] = [];
  for (const token of tokens) {
    const previous = joined.at(-1);
    const follows = previous === WILDCARD || previous === `${WILDCARD},`;
    if (follows && token.startsWith(WILDCARD)) joined[joined.length - 1] = token;
    else joined.push(token);
  }
  return joined.join(' ');
}
