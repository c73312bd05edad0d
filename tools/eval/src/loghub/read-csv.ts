/** Records of a CSV text (RFC 4180), by the column names of its first line; quoted fields may contain line breaks. */
export function readCsv(text: string): Record<string, string>[] {
  const [names = [], ...rows] = fieldsOf(text.replace(/^\uFEFF/, ''));
  return rows
    .filter((row) => row.length > 1 || row[0] !== '')
    .map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])));
}

const FIELD = /(?:"((?:[^"]|"")*)"|((?!")[^,\r\n]*))(,|\r?\n|$)/y;

function fieldsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  FIELD.lastIndex = 0;
  while (FIELD.lastIndex < text.length) {
    const start = FIELD.lastIndex;
    const match = FIELD.exec(text);
    if (match === null) throw new Error(`The CSV cannot be read at character ${start}`);
    const [, quoted, plain = '', end] = match;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return row.length === 0 ? rows : [...rows, [...row, '']];
}
