import { normalised } from '@clew/kernel';

/** Placeholder for a variable part of a text. */
export const WILDCARD = '<*>';

/** Quotation marks: the closing mark of each opening mark. */
const CLOSING_MARK: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '„': '“',
  '‘': '’',
  '«': '»',
};
/** Characters before an opening mark, which may also stand at the start: `user's` opens nothing. */
const BEFORE_OPENING = new Set([' ', '(', '[', '{', '=', ':', ',']);
/** Characters after a closing mark, which may also stand at the end. */
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

/** Units of a number. `90 s`, `90s` and `1.5 min` say the same with different sizes. */
const UNITS = new Set(
  (
    'b kb mb gb tb kib mib gib byte bytes ns us µs ms msec msecs millis millisecond milliseconds s sec secs second ' +
    'seconds min mins minute minutes h hr hrs hour hours day days %'
  ).split(' '),
);

const EMAIL_OR_URL = /[^\s]:\/\/[^\s]|^www\.|[^@\s]@[^@\s]/u;
/** URL with a scheme: one value, including the names in its query. */
const STARTS_WITH_SCHEME = /^[A-Za-z][A-Za-z0-9+.-]{0,20}:\/\/[^\s]/u;
const PATH_START = /^(?:~?\/|\.{1,2}\/|[A-Za-z]:[\\/])[^\s]/u;
const FILE_IN_FOLDER = /\/[^\s/]*\.[A-Za-z0-9]{1,5}$/u;
/** Host name: the last part distinguishes it from a file or an object's member. */
const HOST_NAME =
  /^[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.(?:com|net|org|edu|gov|mil|local|internal|lan|cn|uk|jp|eu)(?::\d{1,5})?$/i;
/** Hardware and IPv6 addresses, in which some groups have no digit. */
const COLON_HEX = /^(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}$/i;
/** Assignment: the value is variable, the name is not. */
const NAMED_VALUE = /(^|[([{,;&])([A-Za-z_][\w.-]{0,60}=)[^\s,;&)\]}]+/g;
/** Joined values that count as one: `host:port`, `a/b`, `from-to`. */
const JOINED_WILDCARDS = /<\*>(?:[:.,/_@+-]<\*>)+/g;
const OPENING_PUNCTUATION = new Set('([{.,;:!?');
const CLOSING_PUNCTUATION = new Set(')]}.,;:!?');
/** Run of word characters; digits may be joined by separators (`1,234.50`, `10:30`, `2024/05/10`). */
const WORD_RUN = /[$€£#+~-]?[\p{L}\p{N}_]+(?:(?:[-]|(?<=\p{N})[.,:/+](?=\p{N}))[\p{L}\p{N}_]+)*%?/gu;
/** Plain word, which needs no closer look; most words are plain. */
const PLAIN_WORD = /^[A-Za-z]{1,40}$/;
const HAS_DIGIT = /\p{N}/u;
const LETTERS_ONLY_HEX = /^[a-f]{8,}$/i;
/**
 * Maximum number of passes: masking may place a token beside a wildcard that it belongs to. Nearly every text is stable
 * after the first pass.
 */
const MAX_PASSES = 8;

/**
 * Replaces the variable parts of a text by `<*>`: ids, UUIDs, hex, numbers with their units, dates, times, e-mail and
 * other addresses, hosts, URLs, paths, quoted text and assigned values (`user=jo`). All share one wildcard, because the
 * same value can look like a number in one conversation and like an id in the next. Idempotent, and linear in the
 * length of the text.
 */
export function maskVariables(text: string): string {
  let masked = text;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const before = masked;
    masked = maskOnce(before);
    if (masked === before) break;
  }
  return masked;
}

function maskOnce(text: string): string {
  const line = maskQuoted(normalised(text, 'NFC').replace(/\s+/gu, ' ').trim());
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
  /** Position of the last search: searches only move forward, so all of them together are linear. */
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
  const named = STARTS_WITH_SCHEME.test(core) ? token : token.replace(NAMED_VALUE, `$1$2${WILDCARD}`);
  if (named !== token) return maskRuns(named);
  if (isLocator(core) || WEEKDAYS.has(core.toLowerCase())) {
    return `${token.slice(0, start)}${WILDCARD}${token.slice(end)}`;
  }
  return maskRuns(token);
}

function maskRuns(token: string): string {
  return token
    .replace(WORD_RUN, (run) => (HAS_DIGIT.test(run) || LETTERS_ONLY_HEX.test(run) ? WILDCARD : run))
    .replace(JOINED_WILDCARDS, WILDCARD);
}

/** Range of the token without the punctuation around it. */
function coreOf(token: string): { start: number; end: number } {
  let start = 0;
  let end = token.length;
  while (start < end && OPENING_PUNCTUATION.has(token.charAt(start))) start += 1;
  while (end > start && CLOSING_PUNCTUATION.has(token.charAt(end - 1))) end -= 1;
  return { start, end };
}

function isLocator(core: string): boolean {
  return (
    EMAIL_OR_URL.test(core) ||
    HOST_NAME.test(core) ||
    COLON_HEX.test(core) ||
    PATH_START.test(core) ||
    FILE_IN_FOLDER.test(core) ||
    core.split(/[\\/]/).length > 2
  );
}

/** Masks a month or `pm` beside a masked value: `May 10` and `10 May` are dates, `may` is not. */
function maskTimeWords(tokens: readonly string[]): string[] {
  const masked = [...tokens];
  for (let index = masked.length - 2; index >= 0; index -= 1) {
    if (isTimeWord(masked[index] ?? '') && (masked[index + 1] ?? '').startsWith(WILDCARD)) masked[index] = WILDCARD;
  }
  for (let index = 1; index < masked.length; index += 1) {
    const word = masked[index] ?? '';
    if (!(masked[index - 1] ?? '').endsWith(WILDCARD)) continue;
    if (isTimeWord(word)) masked[index] = WILDCARD;
    else if (isUnit(word)) masked[index] = `${WILDCARD}${word.slice(coreOf(word).end)}`;
  }
  return masked;
}

function isTimeWord(token: string): boolean {
  const { start, end } = coreOf(token);
  return TIME_WORDS.has(token.slice(start, end).toLowerCase());
}

function isUnit(token: string): boolean {
  const { start, end } = coreOf(token);
  return start === 0 && UNITS.has(token.slice(0, end).toLowerCase());
}

/** Merges neighboring wildcards, so that a list of three ids and a list of two are equal. */
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

/** Masks the variable parts of a text for people: an ellipsis stands for each. */
export function readablyMasked(text: string): string {
  return maskVariables(text).replaceAll(WILDCARD, '…');
}
