const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['week', 7 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
];

/** Keeps what was made for arguments: the browser takes as long to make a formatter as to format a thousand times. */
function kept<Arguments extends (string | undefined)[], Made>(make: (...args: Arguments) => Made) {
  const made = new Map<string, Made>();
  return (...args: Arguments): Made => {
    const key = args.join(' ');
    const found = made.get(key) ?? make(...args);
    made.set(key, found);
    return found;
  };
}

const relativeFormat = kept(
  (locale?: string) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' }),
);
const fullFormat = kept(
  (locale?: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }),
);
const partsFormat = (parts: Intl.DateTimeFormatOptions) =>
  kept(
    (locale?: string, timeZone?: string) =>
      new Intl.DateTimeFormat(locale, { ...parts, ...(timeZone === undefined ? {} : { timeZone }) }),
  );
const dayFormat = partsFormat({ day: 'numeric', month: 'short' });
const hourFormat = partsFormat({ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' });
const compactFormat = kept(
  (locale?: string) => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }),
);
const wholeFormat = kept((locale?: string) => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }));
const percentFormat = kept(
  (locale?: string) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }),
);

/** Time relative to now: `3 hr. ago`, `in 2 days`, `now`. */
export function relativeTime(atMs: number, nowMs: number, locale?: string): string {
  const differenceMs = atMs - nowMs;
  const format = relativeFormat(locale);
  const unit = UNITS.find(([, lengthMs]) => Math.abs(differenceMs) >= lengthMs);
  return unit === undefined ? format.format(0, 'second') : format.format(Math.trunc(differenceMs / unit[1]), unit[0]);
}

/** Whole date and time, for titles. */
export function fullTime(atMs: number, locale?: string): string {
  return fullFormat(locale).format(atMs);
}

/** Day in a few characters: `24 Nov`. */
export function shortDay(atMs: number, locale?: string, timeZone?: string): string {
  return dayFormat(locale, timeZone).format(atMs);
}

/** Day and hour in a few characters: `24 Nov, 15:00`. */
export function shortHour(atMs: number, locale?: string, timeZone?: string): string {
  return hourFormat(locale, timeZone).format(atMs);
}

/** Number with separators; compact from 10,000 on: `9,876`, `12K`. */
export function count(value: number, locale?: string): string {
  const format = value >= 10_000 ? compactFormat : wholeFormat;
  return format(locale).format(value);
}

/** Count that may be a lower bound: `10K+`. */
export function countAtLeast(value: number, atLeast: boolean, locale?: string): string {
  return `${count(value, locale)}${atLeast ? '+' : ''}`;
}

/** Number with its noun: `1 message`, `3 messages`. */
export function counted(value: number, noun: string, plural = `${noun}s`, locale?: string): string {
  return `${count(value, locale)} ${value === 1 ? noun : plural}`;
}

/** Share as a percentage; what is more than nothing is not shown as nothing. */
export function percent(share: number, locale?: string): string {
  if (share > 0 && share < 0.01) return '<1%';
  return percentFormat(locale).format(share);
}

/** Length of time: `340 ms`, `2.4 s`, `3 min 5 s`, `2 h 4 min`. */
export function duration(lengthMs: number): string {
  if (lengthMs < SECOND) return `${Math.round(lengthMs)} ms`;
  if (lengthMs < 10 * SECOND) return `${(Math.floor(lengthMs / 100) / 10).toFixed(1)} s`;
  if (lengthMs < MINUTE) return `${Math.floor(lengthMs / SECOND)} s`;
  if (lengthMs < HOUR) return `${Math.floor(lengthMs / MINUTE)} min ${Math.floor((lengthMs % MINUTE) / SECOND)} s`;
  return `${Math.floor(lengthMs / HOUR)} h ${Math.floor((lengthMs % HOUR) / MINUTE)} min`;
}

/** Words of a name in code: `awaiting_verification` as `awaiting verification`. */
export function words(name: string): string {
  return name.replaceAll('_', ' ').replaceAll('-', ' ');
}

/** The same with a capital letter in front. */
export function sentence(name: string): string {
  const text = words(name);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
