import { isAscii } from '@clew/kernel';

/** Words that punctuation joins: `2024-05-01`, `ada@example.org`, `1,234.50`, `gift_card_22`. */
const RUN = /[\p{L}\p{N}_]+(?:(?:[-.@'’+]|(?<=\p{N})[,:/](?=\p{N}))[\p{L}\p{N}_]+)*/gu;

const IN_WORD = 1;
const DIGIT = 2;
const JOINS_WORDS = 4;
const JOINS_DIGITS = 8;

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\d/.test(character)) return IN_WORD | DIGIT;
  if (/\w/.test(character)) return IN_WORD;
  if ("-.@'+".includes(character)) return JOINS_WORDS;
  return ',:/'.includes(character) ? JOINS_DIGITS : 0;
});

/** Visits the runs of a text in order: words, with the words that punctuation joins to them. */
export function visitRuns(text: string, visit: (run: string, start: number, end: number) => void): void {
  if (isAscii(text)) visitAsciiRuns(text, visit);
  else for (const match of text.matchAll(RUN)) visit(match[0], match.index, match.index + match[0].length);
}

/** Visits the same runs of a plain text, without the cost of a match object for each. */
function visitAsciiRuns(text: string, visit: (run: string, start: number, end: number) => void): void {
  const kindAt = (index: number): number => (index < text.length ? (asciiKinds[text.charCodeAt(index)] ?? 0) : 0);
  for (let start = 0; start < text.length; start += 1) {
    if ((kindAt(start) & IN_WORD) === 0) continue;
    let end = start;
    do {
      end += 1;
      while ((kindAt(end) & IN_WORD) !== 0) end += 1;
    } while (joins(kindAt(end - 1), kindAt(end), kindAt(end + 1)));
    visit(text.slice(start, end), start, end);
    start = end;
  }
}

function joins(before: number, between: number, after: number): boolean {
  if (between === JOINS_WORDS) return (after & IN_WORD) !== 0;
  return between === JOINS_DIGITS && (before & after & DIGIT) !== 0;
}
