import { foldedText } from './folded-text.ts';
import { wordsOf } from './words.ts';

const DAY_MS = 86_400_000;
const MONTHS = [
  ['january', 'jan', 'januar'],
  ['february', 'feb', 'februar'],
  ['march', 'mar', 'marz'],
  ['april', 'apr'],
  ['may', 'mai'],
  ['june', 'jun', 'juni'],
  ['july', 'jul', 'juli'],
  ['august', 'aug'],
  ['september', 'sep', 'sept'],
  ['october', 'oct', 'oktober', 'okt'],
  ['november', 'nov'],
  ['december', 'dec', 'dezember', 'dez'],
];
const WEEKDAYS = [
  ['sunday', 'sonntag'],
  ['monday', 'montag'],
  ['tuesday', 'dienstag'],
  ['wednesday', 'mittwoch'],
  ['thursday', 'donnerstag'],
  ['friday', 'freitag'],
  ['saturday', 'samstag'],
];
const NUMBER =
  '(\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|eine[mnr]?|ein|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn)';
const SMALL = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const SMALL_DE = 'null ein zwei drei vier funf sechs sieben acht neun zehn'.split(' ');
const UNIT = '(days?|weeks?|months?|years?|tage?n?|wochen?|monate?n?|jahre?n?)';

/** Words for a day near the message's, with their distance in days. */
const NEAR_DAYS: readonly [pattern: RegExp, days: number][] = [
  [/\bday before yesterday\b|\bvorgestern\b/, -2],
  [/\byesterday\b|\blast night\b|\bgestern\b/, -1],
  [/\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b|\bheute\b/, 0],
  [/\bday after tomorrow\b|\bubermorgen\b/, 2],
  [/\btomorrow\b|\bmorgen\b/, 1],
];
/** Words for the week, month or year before, at, or after the message. */
const NEAR_SPANS: readonly [pattern: RegExp, step: number][] = [
  [
    /\b(?:last|previous|past|letzte[nrs]?|vorige[nrs]?|vergangene[nrs]?) (week|weekend|month|year|woche|wochenende|monat|jahr)\b/g,
    -1,
  ],
  [/\b(?:this|diese[nrs]?) (week|weekend|month|year|woche|wochenende|monat|jahr)\b/g, 0],
  [
    /\b(?:next|coming|following|nachste[nrs]?|kommende[nrs]?) (week|weekend|month|year|woche|wochenende|monat|jahr)\b/g,
    1,
  ],
];
const AGO = [
  new RegExp(`\\b${NUMBER} ${UNIT} (?:ago|earlier|before)\\b`, 'g'),
  new RegExp(`\\bvor ${NUMBER} ${UNIT}\\b`, 'g'),
];
const AHEAD = [new RegExp(`\\bin ${NUMBER} ${UNIT}\\b`, 'g'), new RegExp(`\\b${NUMBER} ${UNIT} from now\\b`, 'g')];

/** Seasons and holidays, of which the year is that of the message or the next one. */
const SEASON =
  /\b(?:spring|summer|autumn|winter|fruhling|fruhjahr|sommer|herbst|easter|ostern|whitsun|pfingsten|christmas|weihnachten|thanksgiving|ramadan|eid|passover|hanukkah|diwali|carnival|karneval|fasching)\b/;
/** Day and month, in either order: "3 June", "the 3rd of June", "June 3". */
const DAY_OF_MONTH =
  /\b(\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?(\p{L}{3,9})\b|\b(\p{L}{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?\b/gu;

/** Date with its year: "3 June 2026", "June 2026", "June 3, 2026", "2026-06", "2026-06-03". */
const FULL_DATE =
  /(?<![\p{L}\p{N}])(?:(?:(\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?)?(\p{L}{3,9})\.? (\d{4})|(\p{L}{3,9})\.? (\d{1,2})(?:st|nd|rd|th|\.)?,? (\d{4})|(\d{4})-(\d{2})(?:-(\d{2}))?)(?![\p{L}\p{N}-])/gu;

/** Numbers and words that may stand for a date. */
export interface DateWords {
  numbers: ReadonlySet<string>;
  words: ReadonlySet<string>;
}

/**
 * Derives the parts of dates that a text means relative to the time of its message ("yesterday", "last week", "in three
 * years", "30 April"; English and German): years, months and days as numbers, and the names of months and weekdays. A
 * week gives the days in it, a month no day. A month or a season without a year is one near the message. Times are read
 * as UTC. Empty for a text without such dates. The text is folded.
 */
export function derivableDates(folded: string, atMs: number | undefined): DateWords {
  const found = { numbers: new Set<string>(), words: new Set<string>() };
  if (atMs === undefined) return found;
  for (const [pattern, days] of NEAR_DAYS) if (pattern.test(folded)) addDay(found, atMs + days * DAY_MS);
  for (const [pattern, step] of NEAR_SPANS) {
    for (const [, unit = ''] of folded.matchAll(pattern)) addSpan(found, atMs, unit, step);
  }
  for (const [patterns, sign] of [
    [AGO, -1],
    [AHEAD, 1],
  ] as const) {
    for (const pattern of patterns) {
      for (const [, number = '', unit = ''] of folded.matchAll(pattern))
        addSpan(found, atMs, unit, sign * valueOf(number), true);
    }
  }
  for (const [day, names] of WEEKDAYS.entries())
    if (names.some((name) => folded.includes(name))) addWeekday(found, atMs, day);
  addNamedDates(found, folded, atMs);
  return found;
}

/** Removes the days and months (with their year) of some times from a statement that is dated by them. */
export function withoutDays(statement: string, times: readonly number[]): string {
  const days = new Set(times.map((atMs) => new Date(atMs).toISOString().slice(0, 10)));
  const months = new Set([...days].map((day) => day.slice(0, 7)));
  return statement.replaceAll(FULL_DATE, (whole, ...parts: (string | undefined)[]) => {
    const [dayBefore, monthAfter, yearOfFirst, monthBefore, dayAfter, yearOfSecond, year, month, day] = parts;
    const named = MONTHS.findIndex((names) => names.includes(foldedText(monthAfter ?? monthBefore ?? '')));
    const ofMonth = `${year ?? yearOfFirst ?? yearOfSecond}-${month ?? String(named + 1).padStart(2, '0')}`;
    const ofDay = day ?? (dayBefore ?? dayAfter)?.padStart(2, '0');
    const isTold = ofDay === undefined ? months.has(ofMonth) : days.has(`${ofMonth}-${ofDay}`);
    return isTold ? ' ' : whole;
  });
}

/** Numbers (1 to 12) of the months that a folded text names, in English or German. */
export function monthsNamedIn(folded: string): Set<number> {
  const words = new Set(wordsOf(folded).map((word) => word.replace(/\.$/, '')));
  return new Set(MONTHS.flatMap((names, month) => (names.some((name) => words.has(name)) ? [month + 1] : [])));
}

interface Found {
  numbers: Set<string>;
  words: Set<string>;
}

function addDay(found: Found, atMs: number): void {
  found.numbers.add(String(new Date(atMs).getUTCDate()));
  for (const name of WEEKDAYS[new Date(atMs).getUTCDay()] ?? []) found.words.add(name);
  addMonth(found, atMs);
}

/**
 * Adds the years of months, seasons and holidays that are named without one, the months in other languages, and the
 * weekdays of days in such months.
 */
function addNamedDates(found: Found, folded: string, atMs: number): void {
  const year = new Date(atMs).getUTCFullYear();
  for (const month of monthsNamedIn(folded)) {
    for (const near of yearsNear(month - 1, atMs)) found.numbers.add(String(near));
    for (const name of MONTHS[month - 1] ?? []) found.words.add(name);
  }
  for (const [, dayBefore, monthAfter, monthBefore, dayAfter] of folded.matchAll(DAY_OF_MONTH)) {
    const month = MONTHS.findIndex((names) => names.includes(monthAfter ?? monthBefore ?? ''));
    if (month === -1) continue;
    for (const near of yearsNear(month, atMs)) addDay(found, Date.UTC(near, month, Number(dayBefore ?? dayAfter)));
  }
  if (SEASON.test(folded)) for (const near of [year, year + 1]) found.numbers.add(String(near));
}

/** Years of the last and the next such month (0 to 11), seen from the message. */
function yearsNear(month: number, atMs: number): number[] {
  const at = new Date(atMs);
  const [year, own] = [at.getUTCFullYear(), at.getUTCMonth()];
  if (month === own) return [year];
  return month < own ? [year, year + 1] : [year - 1, year];
}

function addMonth(found: Found, atMs: number): void {
  const month = new Date(atMs).getUTCMonth();
  found.numbers.add(String(month + 1));
  for (const name of MONTHS[month] ?? []) found.words.add(name);
  addYear(found, atMs);
}

function addYear(found: Found, atMs: number): void {
  found.numbers.add(String(new Date(atMs).getUTCFullYear()));
}

/** Adds what is `steps` units away; with `isExact`, a distance in days or weeks means a single day. */
function addSpan(found: Found, atMs: number, unit: string, steps: number, isExact = false): void {
  if (/^(?:day|tag)/.test(unit)) addDay(found, atMs + steps * DAY_MS);
  else if (/^(?:week|woche)/.test(unit)) addWeek(found, atMs + 7 * steps * DAY_MS, isExact);
  else if (/^(?:month|monat)/.test(unit)) addMonth(found, monthsLater(atMs, steps));
  else addYear(found, monthsLater(atMs, 12 * steps));
}

function addWeek(found: Found, atMs: number, isExact: boolean): void {
  if (isExact) addDay(found, atMs);
  const monday = atMs - ((new Date(atMs).getUTCDay() + 6) % 7) * DAY_MS;
  for (let day = 0; day < 7; day += 1) addDay(found, monday + day * DAY_MS);
}

/** Adds the nearest such weekday before and after the message. */
function addWeekday(found: Found, atMs: number, weekday: number): void {
  const ahead = (weekday - new Date(atMs).getUTCDay() + 7) % 7;
  for (const days of [ahead - 7, ahead, ahead + 7]) addDay(found, atMs + days * DAY_MS);
}

/** First day of the month that is some months away. */
function monthsLater(atMs: number, months: number): number {
  const date = new Date(atMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
}

function valueOf(number: string): number {
  if (/^\d/.test(number)) return Number(number);
  const value = Math.max(SMALL.indexOf(number), SMALL_DE.indexOf(number));
  return value > 0 ? value : 1;
}
