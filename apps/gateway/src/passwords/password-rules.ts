import { AppError, normalised } from '@clew/kernel';
import { MAX_PASSWORD_LENGTH } from '@clew/contracts';
import { COMMON_PASSWORDS } from './common-passwords.ts';
import { COMMON_WORDS } from './common-words.ts';

export interface PasswordContext {
  email: string;
  name: string;
}

/** Fewest characters that may be left of a password without what is easy to guess in it. */
const MIN_UNPREDICTABLE = 8;
/** Fewest characters of a name or an address to count as a word. */
const MIN_WORD = 4;
const PRODUCT = 'clew';
const ROWS = [
  '1234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'abcdefghijklmnopqrstuvwxyz',
];

/**
 * Returns what is wrong with a password that somebody chooses; undefined if nothing is. The rules are those of NIST SP
 * 800-63B: a minimum length, any characters, no composition, and none that are known or easy to guess.
 */
export function problemOfPassword(password: string, minLength: number, context: PasswordContext): string | undefined {
  if (!password.isWellFormed()) return 'must be well-formed text';
  const text = normalised(password, 'NFC');
  const length = [...text].length;
  if (length < minLength) return `must have at least ${minLength} characters`;
  if (text.length > MAX_PASSWORD_LENGTH) return `must have at most ${MAX_PASSWORD_LENGTH} characters`;
  return isGuessable(text.toLowerCase(), context) ? 'is too easy to guess' : undefined;
}

/** Throws VALIDATION_FAILED, with the place of the password in the body, for one that may not be chosen. */
export function requireGoodPassword(
  password: string,
  minLength: number,
  { path, ...context }: PasswordContext & { path: string },
): void {
  const message = problemOfPassword(password, minLength, context);
  if (message === undefined) return;
  throw new AppError('VALIDATION_FAILED', `${path}: ${message}`, { details: [{ path, message }] });
}

function isGuessable(password: string, context: PasswordContext): boolean {
  if (COMMON_PASSWORDS.has(password)) return true;
  const unit = repeatedUnit(password);
  const rest = withoutWords(unit, wordsOf(context));
  return withoutRuns(rest).length < MIN_UNPREDICTABLE;
}

/** Returns the shortest text whose repetition is the whole text: the text itself, usually. */
function repeatedUnit(text: string): string {
  const period = (text + text).indexOf(text, 1);
  return text.slice(0, period);
}

function wordsOf({ email, name }: PasswordContext): string[] {
  const words = `${email} ${name}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const whole = [email, ...email.split('@')].map((part) => part.toLowerCase());
  const known = [PRODUCT, ...whole, ...words].filter((word) => word.length >= MIN_WORD);
  return known.toSorted((a, b) => b.length - a.length);
}

/** Removes the words of the context wherever they stand, and runs of letters that are common passwords. */
function withoutWords(text: string, words: readonly string[]): string {
  let rest = text;
  for (const word of words) rest = rest.replaceAll(word, ' ');
  return rest.replace(/\p{L}+/gu, (run) => (COMMON_WORDS.has(repeatedUnit(run)) ? '' : run)).replaceAll(' ', '');
}

/** Leaves one character of each run: the same one repeated, and neighbours in the alphabet or on the keyboard. */
function withoutRuns(text: string): string {
  const characters = [...text];
  return characters.filter((character, at) => at === 0 || !isNext(characters[at - 1] ?? '', character)).join('');
}

function isNext(before: string, character: string): boolean {
  if (before === character) return true;
  return ROWS.some((row) => row.includes(before + character) || row.includes(character + before));
}
