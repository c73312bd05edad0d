import { countAtLeast } from '../text/format.ts';

/** Rows that would stand above those of a list if it were read again: some that are counted, or its first ids. */
export interface Ahead {
  readonly count: number;
  readonly atLeast: boolean;
  readonly head: readonly string[];
}

export interface NewRowCount {
  readonly count: number;
  readonly atLeast: boolean;
}

/** Rows of a list that are looked at where the API has no count of what is new. */
export const HEAD_ROWS = 25;

export const NOTHING_AHEAD: Ahead = { count: 0, atLeast: false, head: [] };

/** First rows of a list, to be compared with those that are known. */
export function headAhead(head: readonly string[]): Ahead {
  return { ...NOTHING_AHEAD, head };
}

/** Number of the rows that a list does not have yet. */
export function newRowCount({ count, atLeast, head }: Ahead, known: ReadonlySet<string>): NewRowCount {
  const unknown = head.filter((id) => !known.has(id)).length;
  return { count: count + unknown, atLeast: atLeast || unknown === HEAD_ROWS };
}

/** Number as a pill says it: `7 new`, `25+ new`. */
export function newRowsText({ count, atLeast }: NewRowCount, word = 'new', locale?: string): string {
  return `${countAtLeast(count, atLeast, locale)} ${word}`;
}
