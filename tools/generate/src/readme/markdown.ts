/** A table of a README: the names between backticks in each column, under the heading that it stands below. */
export interface NamedTable {
  heading: string;
  /** By the words at its head. */
  columns: ReadonlyMap<string, readonly string[]>;
}

/** The tables of a text in Markdown. */
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
