/** Table of a README: the names in backticks in each column, and the heading above the table. */
export interface NamedTable {
  heading: string;
  /** Names by column title. */
  columns: ReadonlyMap<string, readonly string[]>;
}

/** Tables of a Markdown text. */
export function tablesOf(markdown: string): NamedTable[] {
  const tables: NamedTable[] = [];
  let heading = '';
  let rows: string[][] = [];
  const end = () => {
    const [head = [], , ...body] = rows;
    const columns = head.map((title, index) => [title, body.flatMap((row) => codeIn(row[index] ?? ''))] as const);
    if (rows.length > 0) tables.push({ heading, columns: new Map(columns) });
    rows = [];
  };
  for (const line of markdown.split('\n')) {
    if (line.startsWith('|')) rows.push(cellsOf(line));
    else end();
    if (line.startsWith('#')) heading = line.replace(/^#+ /, '');
  }
  end();
  return tables;
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}

function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}
