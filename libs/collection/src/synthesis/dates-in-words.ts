const ISO_DATE = /(?<!\d)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)/g;
/** Dates of one text beyond which the others are not written out: a table of that length is no ground for words. */
const MAX_DATES = 200;

const FORMATS = ['en', 'de', 'fr', 'es', 'pt'].map(
  (language) =>
    new Intl.DateTimeFormat(language, {
      ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
      timeZone: 'UTC',
    }),
);

/** Dates that a text gives as YYYY-MM-DD, with weekday and month in words: tools give the one, users are told the other. */
export function datesInWords(text: string): string {
  const dates = [...new Set(text.match(ISO_DATE) ?? [])].slice(0, MAX_DATES).map((date) => new Date(date));
  return dates
    .filter((date) => !Number.isNaN(date.getTime()))
    .flatMap((date) => FORMATS.map((format) => format.format(date)))
    .join('\n');
}
