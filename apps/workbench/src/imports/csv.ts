export const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type Delimiter = keyof typeof DELIMITERS;

/** Record of a CSV, with the line on which it begins. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvHead {
  readonly records: CsvRecord[];
  /** Whether the text ends within a quoted cell, as where only its beginning was read. */
  readonly isOpen: boolean;
}

/** Reads the first records of a CSV. Quotes hold delimiters, line ends and doubled quotes. */
export function csvRecords(text: string, delimiter: Delimiter, max: number): CsvHead {
  const records: CsvRecord[] = [];
  const separator = DELIMITERS[delimiter];
  let line = 1;
  let at = text.startsWith('\ufeff') ? 1 : 0;
  while (at < text.length && records.length < max) {
    const cells: string[] = [];
    const begun = line;
    for (;;) {
      const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, separator);
      if (cell === undefined) return { records, isOpen: true };
      cells.push(cell.text);
      line += cell.lines;
      at = cell.end;
      if (text[at] !== separator) break;
      at += 1;
    }
    if (text[at] === '\r') at += 1;
    if (text[at] === '\n') at += 1;
    line += 1;
    if (cells.length > 1 || cells[0] !== '') records.push({ line: begun, cells });
  }
  return { records, isOpen: false };
}

interface Cell {
  readonly text: string;
  readonly end: number;
  /** Line ends within. */
  readonly lines: number;
}

function quotedCell(text: string, start: number): Cell | undefined {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  if (quote === -1) return undefined;
  const inner = text.slice(start + 1, quote);
  return { text: inner.replaceAll('""', '"'), end: quote + 1, lines: inner.split('\n').length - 1 };
}

function plainCell(text: string, start: number, separator: string): Cell {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return { text: text.slice(start, end), end, lines: 0 };
}

/** Delimiter that the header has most of. */
export function delimiterOf(text: string): Delimiter {
  const [header = ''] = text.split('\n', 1);
  const number = (delimiter: Delimiter) => header.split(DELIMITERS[delimiter]).length;
  return (['comma', 'semicolon', 'tab'] as const).reduce((most, each) => (number(each) > number(most) ? each : most));
}

/** Text of a CSV. A cell that a spreadsheet would take for a formula begins with an apostrophe. */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}

function cellText(value: string | number): string {
  const text = String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
