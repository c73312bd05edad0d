import { wordsOf } from './words.ts';

const UNITS_EN =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const UNITS_DE =
  'null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn';
const TENS_EN = 'twenty thirty forty fifty sixty seventy eighty ninety';
const TENS_DE = 'zwanzig dreißig vierzig funfzig sechzig siebzig achtzig neunzig';
const ORDINALS = 'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth';

/** Value of each number word, on folded text. */
const VALUES: ReadonlyMap<string, number> = new Map([
  ...[UNITS_EN, UNITS_DE].flatMap((words) => words.split(' ').map((word, value) => [word, value] as const)),
  ...[TENS_EN, TENS_DE].flatMap((words) => words.split(' ').map((word, at) => [word, 20 + 10 * at] as const)),
  ...([
    ['hundred', 100],
    ['hundert', 100],
    ['thousand', 1_000],
    ['tausend', 1_000],
    ['dozen', 12],
  ] as const),
]);
const ORDINAL_VALUES: ReadonlyMap<string, number> = new Map(ORDINALS.split(' ').map((word, value) => [word, value]));

/** Length of each unit of time; months are not a fixed number of days. */
const UNIT_LENGTHS: readonly [unit: RegExp, length: number, scale: 'minutes' | 'months'][] = [
  [/^(?:minutes?|mins?|minuten?)$/, 1, 'minutes'],
  [/^(?:hours?|hrs?|stunden?)$/, 60, 'minutes'],
  [/^(?:days?|tage?n?)$/, 1_440, 'minutes'],
  [/^(?:weeks?|wochen?)$/, 10_080, 'minutes'],
  [/^(?:months?|monate?n?)$/, 1, 'months'],
  [/^(?:years?|jahre?n?)$/, 12, 'months'],
];
const ARTICLES = new Set(['a', 'an', 'one', 'ein', 'eine', 'einen', 'einem', 'einer']);

/** Numbers that a statement claims, in comparable form, in digits and in words. */
export function claimedNumbers(folded: string): Set<string> {
  // "One" is a pronoun more often than a number, as "eins" is part of other words.
  const words = spelledNumbers(folded).filter((number) => number !== 1);
  return new Set([...digitsOf(folded), ...words.map(String)]);
}

/** Numbers that a text gives, also as ordinals, and as hours of the clock in both forms. */
export function givenNumbers(folded: string): Set<string> {
  const ordinals = wordsOf(folded).flatMap((word) => ORDINAL_VALUES.get(word) ?? []);
  return new Set([...digitsOf(folded), ...[...spelledNumbers(folded), ...ordinals].map(String), ...clockTimes(folded)]);
}

/** Whether a folded word is a number. */
export function isNumberWord(word: string): boolean {
  return VALUES.has(word);
}

/** Amounts of time in a text, such as "14 days", in a form that is equal for "two weeks", by the number in it. */
export function amountsOfTime(folded: string): Map<string, string> {
  const words = wordsOf(folded).flatMap((word) => word.split('-'));
  const amounts = new Map<string, string>();
  for (const [at, word] of words.entries()) {
    const unit = UNIT_LENGTHS.find(([pattern]) => pattern.test(word));
    const before = words[at - 1];
    if (unit === undefined || before === undefined) continue;
    const number = ARTICLES.has(before) ? 1 : (VALUES.get(before) ?? Number(before));
    if (!Number.isFinite(number) || before.trim() === '') continue;
    amounts.set(String(number), `${number * unit[1]} ${unit[2]}`);
  }
  return amounts;
}

/** Digits without thousands separators, and without the zeros before them. */
function digitsOf(folded: string): string[] {
  // Bounded as the words of `wordsOf` are.
  return [...folded.matchAll(/\p{Nd}{1,999}(?:[.,]\p{Nd}{1,999}){0,99}/gu)].flatMap(([number]) => {
    const plain = number.replaceAll(/[,.](?=\p{Nd}{3}(?!\p{Nd}))/gu, '');
    // "3.11.2026" is a date of three numbers.
    const parts = plain.split('.').length > 2 ? plain.split('.') : [plain];
    return parts.map(withoutZeros);
  });
}

function withoutZeros(number: string): string {
  return number.replace(/^0+(?=\d)/, '');
}

/** Numbers in words; those that belong together ("twenty-five", "two hundred") also as one. */
function spelledNumbers(folded: string): number[] {
  const numbers: number[] = [];
  let sum: number | undefined;
  for (const word of wordsOf(folded).flatMap((each) => each.split('-'))) {
    const value = VALUES.get(word);
    if (value === undefined) {
      sum = undefined;
      continue;
    }
    numbers.push(value);
    if (sum !== undefined) numbers.push(value >= 100 ? sum * value : sum + value);
    sum = sum === undefined ? value : value >= 100 ? sum * value : sum + value;
  }
  return numbers;
}

/** Hours of "3 pm" on the clock of 24 hours, and minutes of a full hour. */
function clockTimes(folded: string): string[] {
  return [...folded.matchAll(/(?<!\d)(\d{1,2})(?::\d{2})?\s?([ap])\.?m\b/g)].flatMap(([, hour, half]) => {
    const twelve = Number(hour) % 12;
    return [String(half === 'p' ? twelve + 12 : twelve), '0'];
  });
}
