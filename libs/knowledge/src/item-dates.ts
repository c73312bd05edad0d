import { foldedText } from './folded-text.ts';
import { givenNumbers } from './numbers.ts';
import type { QuotedWords } from './quoted-words.ts';
import { derivableDates, monthsNamedIn } from './relative-dates.ts';

interface DateParts {
  year: number;
  month?: number | undefined;
  day?: number | undefined;
}

const PARTIAL_DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;

/**
 * Tells whether a date ("2026", "2026-06" or "2026-06-03") is told by the quotes: its parts stand in them, as numbers or
 * names of months, or are those of a day that they mean relative to the time of their message. A year that no quote
 * names is that of the message, or the one before or after. False for what is no date.
 */
export function isDated(date: string, quotes: readonly QuotedWords[]): boolean {
  const parts = partsOf(date);
  return parts !== undefined && quotes.some((quote) => tells(quote, parts));
}

/** Beginning of a day, month or year, in milliseconds since 1970 (UTC); `undefined` for what is no date. */
export function startOfDate(date: string): number | undefined {
  const parts = partsOf(date);
  return parts && Date.UTC(parts.year, (parts.month ?? 1) - 1, parts.day ?? 1);
}

/** End of a day, month or year: the beginning of the next one. */
export function endOfDate(date: string): number | undefined {
  const parts = partsOf(date);
  if (parts === undefined) return undefined;
  const { year, month, day } = parts;
  if (month === undefined) return Date.UTC(year + 1, 0, 1);
  return day === undefined ? Date.UTC(year, month, 1) : Date.UTC(year, month - 1, day + 1);
}

function partsOf(date: string): DateParts | undefined {
  const [, year, month, day] = PARTIAL_DATE.exec(date) ?? [];
  if (year === undefined) return undefined;
  const parts = { year: Number(year), month: numberOf(month), day: numberOf(day) };
  const at = new Date(Date.UTC(parts.year, (parts.month ?? 1) - 1, parts.day ?? 1));
  // The 31st of a month with 30 days is a day of the next one.
  const isReal = at.getUTCMonth() === (parts.month ?? 1) - 1 && at.getUTCDate() === (parts.day ?? 1);
  return isReal && parts.year >= 1900 ? parts : undefined;
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function tells({ text, atMs }: QuotedWords, { year, month, day }: DateParts): boolean {
  const folded = foldedText(text);
  const numbers = new Set([...givenNumbers(folded), ...derivableDates(folded, atMs).numbers]);
  const months = monthsNamedIn(folded);
  const namesYear = [...numbers].some((number) => /^(?:19|20)\d\d$/.test(number));
  const isNear = !namesYear && atMs !== undefined && Math.abs(new Date(atMs).getUTCFullYear() - year) <= 1;
  // A year alone must be told: the time of the message is none of its words.
  if (!numbers.has(String(year)) && !(isNear && month !== undefined)) return false;
  if (month !== undefined && !months.has(month) && !numbers.has(String(month))) return false;
  return day === undefined || numbers.has(String(day));
}
