import { forPeople, forPrograms, type Cell, type Column } from './cells.ts';
import type { Style } from './style.ts';
import { cutTo, oneLine, tsvField, widthOf, wrapped } from './text.ts';

const GAP = 2;
/** Width below which no column is cut. */
const NARROWEST = 10;
/** Width below which words say little. */
const READABLE = 36;

/** Place where a table is drawn; `isContinued` if its header stands above already. */
export interface Drawing {
  style: Style;
  width: number;
  nowMs: number;
  isContinued?: boolean;
}

/**
 * Draws a table for a terminal. Where words would get too little room, minor columns go, the last one first; then the
 * widest columns are cut until it fits.
 */
export function drawTable<Item>(
  items: readonly Item[],
  all: readonly Column<Item>[],
  { style, width, nowMs, isContinued = false }: Drawing,
): string {
  const measured = all.map((column): Measured<Item> => {
    const cells = items.map((item) => column.of(item));
    const texts = cells.map((cell) => oneLine(forPeople(cell, nowMs)));
    return { column, cells, texts, width: Math.max(widthOf(column.title), ...texts.map(widthOf)) };
  });
  const columns = withRoom(measured, width);
  const widths = fittedTo(columns, width);
  const header = rowOf(
    columns.map(({ column }, at) => padded(column.title, widths[at] ?? 0, (text) => style.colour(text, 'dim'))),
  );
  const rows = items.map((_, row) =>
    rowOf(
      columns.map(({ cells, texts }, at) =>
        padded(texts[row] ?? '', widths[at] ?? 0, (cut) => decorated(cut, cells[row], style)),
      ),
    ),
  );
  return `${[...(isContinued ? [] : [header]), ...rows].join('\n')}\n`;
}

/** Writes rows for programs: one line each, fields between tabs, no header. */
export function tsvOf<Item>(items: readonly Item[], columns: readonly Column<Item>[]): string {
  return items.map((item) => `${columns.map(({ of }) => tsvField(forPrograms(of(item)))).join('\t')}\n`).join('');
}

/** Draws the fields of one thing. */
export function drawRecord<Item>(
  item: Item,
  fields: readonly Column<Item>[],
  { style, width, nowMs }: Drawing,
): string {
  const longest = Math.max(...fields.map(({ title }) => widthOf(title)));
  const indent = ' '.repeat(longest + GAP);
  return fields
    .map(({ title, of }) => {
      const cell = of(item);
      const lines = wrapped(oneLine(forPeople(cell, nowMs)), Math.max(NARROWEST, width - indent.length)).split('\n');
      const text = lines.map((line) => decorated(line, cell, style)).join(`\n${indent}`);
      return `${style.colour(title.padEnd(longest), 'dim')}${' '.repeat(GAP)}${text}\n`;
    })
    .join('');
}

interface Measured<Item> {
  column: Column<Item>;
  /** Its values, row by row. */
  cells: readonly Cell[];
  texts: readonly string[];
  width: number;
}

function fittedTo<Item>(columns: readonly Measured<Item>[], width: number): number[] {
  return fitted(
    columns.map((each) => each.width),
    width - GAP * (columns.length - 1),
  );
}

function withRoom<Item>(measured: readonly Measured<Item>[], width: number): readonly Measured<Item>[] {
  let kept = measured;
  for (;;) {
    const widths = fittedTo(kept, width);
    const isTight = kept.some((each, at) => (widths[at] ?? 0) < Math.min(each.width, READABLE));
    const last = kept.findLastIndex(({ column }) => column.isMinor === true);
    if (!isTight || last < 0) return kept;
    kept = kept.toSpliced(last, 1);
  }
}

function fitted(widths: readonly number[], room: number): number[] {
  const fitting = [...widths];
  for (let total = sum(fitting); total > room; total = sum(fitting)) {
    const widest = Math.max(...fitting);
    if (widest <= NARROWEST) break;
    const at = fitting.lastIndexOf(widest);
    const second = Math.max(NARROWEST, ...fitting.filter((value) => value < widest));
    fitting[at] = Math.max(second < widest ? second : widest - 1, widest - (total - room), NARROWEST);
  }
  return fitting;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function padded(text: string, width: number, decorate: (cut: string) => string): string {
  const cut = cutTo(text, width);
  return `${decorate(cut)}${' '.repeat(Math.max(0, width - widthOf(cut)))}`;
}

const rowOf = (fields: readonly string[]): string => fields.join(' '.repeat(GAP)).trimEnd();

function decorated(text: string, cell: Cell, style: Style): string {
  if (typeof cell !== 'object' || cell === null || !('text' in cell)) return text;
  return style.link(style.colour(text, cell.colour), cell.url ?? undefined);
}
