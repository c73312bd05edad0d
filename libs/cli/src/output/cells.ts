import type { Colour } from './style.ts';

/** Value of one field, which terminals show for people and pipes for programs. */
export type Cell =
  | string
  | number
  | boolean
  | null
  | undefined
  | { readonly words: readonly string[] }
  | { readonly at: number | null | undefined }
  | { readonly bytes: number | null | undefined }
  | { readonly text: string; readonly colour?: Colour | undefined; readonly url?: string | null | undefined };

/** Column of a table, or line of a record. */
export interface Column<Item> {
  readonly title: string;
  readonly of: (item: Item) => Cell;
  /** Whether a narrow terminal goes without it, so that words keep their room. */
  readonly isMinor?: true;
}

/** Makes a column. */
export function column<Item>(title: string, of: (item: Item) => Cell): Column<Item> {
  return { title, of };
}

/** Makes a column that a narrow terminal goes without. */
export function minor<Item>(title: string, of: (item: Item) => Cell): Column<Item> {
  return { title, of, isMinor: true };
}

const UNITS: readonly (readonly [string, number])[] = [
  ['y', 365 * 86_400_000],
  ['mo', 30 * 86_400_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** Tells how long ago a time is, or in how long it comes. */
export function relativeTime(ms: number, nowMs: number): string {
  const distance = Math.abs(nowMs - ms);
  const [unit, size] = UNITS.find(([, unitMs]) => distance >= unitMs) ?? ['s', 1_000];
  const count = Math.floor(distance / size);
  if (count === 0) return 'now';
  return ms > nowMs ? `in ${count} ${unit}` : `${count} ${unit} ago`;
}

/** Writes a size for people. */
export function humanBytes(bytes: number): string {
  const steps = ['B', 'kB', 'MB', 'GB', 'TB'];
  const step = Math.min(steps.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1_000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${steps[step] ?? 'B'}`;
}

/** Writes a cell for a person at a terminal. */
export function forPeople(cell: Cell, nowMs: number): string {
  if (cell === null || cell === undefined) return '-';
  if (typeof cell === 'object') {
    if ('at' in cell) return typeof cell.at === 'number' ? relativeTime(cell.at, nowMs) : '-';
    if ('bytes' in cell) return typeof cell.bytes === 'number' ? humanBytes(cell.bytes) : '-';
    if ('text' in cell) return cell.text;
    return cell.words.length === 0 ? '-' : cell.words.join(', ');
  }
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return typeof cell === 'number' ? numberOf(cell) : cell;
}

function numberOf(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Math.round(value * 1_000) / 1_000);
}

/** Writes a cell for a program: times as ISO, sizes in bytes, nothing for nothing. */
export function forPrograms(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'object') {
    if ('at' in cell) return typeof cell.at === 'number' ? new Date(cell.at).toISOString() : '';
    if ('bytes' in cell) return typeof cell.bytes === 'number' ? String(cell.bytes) : '';
    if ('text' in cell) return cell.text;
    return cell.words.join(',');
  }
  return String(cell);
}
