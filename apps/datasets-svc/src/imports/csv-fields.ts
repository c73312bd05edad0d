export interface CsvCell {
  text: string;
  /** Whether the field was quoted: a quoted empty field is an empty text, an unquoted one is no text. */
  isQuoted: boolean;
}

/**
 * Splits a record with well-placed quotes into its fields, at most `most` of them: a record of nothing but delimiters
 * would take a hundred times its size.
 */
export function splitRecord(record: string, delimiter: string, most = Infinity): CsvCell[] {
  if (!record.includes('"')) {
    const texts = most === Infinity ? record.split(delimiter) : record.split(delimiter, most);
    return texts.map((text) => ({ text, isQuoted: false }));
  }
  const cells: CsvCell[] = [];
  let index = 0;
  for (;;) {
    const isQuoted = record[index] === '"';
    const end = isQuoted ? endOfQuoted(record, index) : endOfPlain(record, index, delimiter);
    cells.push({ text: isQuoted ? unquoted(record.slice(index + 1, end - 1)) : record.slice(index, end), isQuoted });
    if (end >= record.length || cells.length === most) return cells;
    index = end + 1;
  }
}

/** Index after the closing quote of the field. */
function endOfQuoted(record: string, start: number): number {
  let quote = record.indexOf('"', start + 1);
  while (quote !== -1 && record[quote + 1] === '"') quote = record.indexOf('"', quote + 2);
  return quote === -1 ? record.length + 1 : quote + 1;
}

function endOfPlain(record: string, start: number, delimiter: string): number {
  const end = record.indexOf(delimiter, start);
  return end === -1 ? record.length : end;
}

function unquoted(text: string): string {
  return text.includes('"') ? text.replaceAll('""', '"') : text;
}
