export interface CsvCell {
  text: string;
  /** An empty text that is quoted is an empty text; one that is not is no text. */
  isQuoted: boolean;
}

/**
 * The fields of one record, whose quotes stand where they belong; no more than `most` of them, since a record of nothing
 * but delimiters takes a hundred times its size.
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

/** The index after the quote that closes the field. */
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
