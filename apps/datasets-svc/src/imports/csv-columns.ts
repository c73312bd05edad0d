import { CSV_COLUMNS, CSV_FIELDS, type CsvField, type CsvMapping } from '@clew/contracts';
import { AppError, type ErrorDetail } from '@clew/kernel';

/** Field for each column of a file; `undefined` for a column that is skipped. */
export interface ColumnPlan {
  fields: readonly (CsvField | undefined)[];
  /**
   * Whether the columns are named as an export names them. Then a quoted empty text is an empty text, and the
   * apostrophe before a formula is removed.
   */
  isExact: boolean;
}

const MAX_SHOWN_NAMES = 20;
const FIELDS: readonly string[] = CSV_FIELDS;
const EXACT: readonly string[] = CSV_COLUMNS;

/**
 * Plans the columns. Throws VALIDATION_FAILED if the header does not fit the mapping or, without one, is not made of
 * field names.
 */
export function planColumns(header: readonly string[], mapping: CsvMapping | undefined): ColumnPlan {
  refuseAny(duplicatesOf(header), (name) => `the header names the column ${shown(name)} twice`);
  if (mapping === undefined) {
    refuseAny(
      header.filter((name) => !FIELDS.includes(name)),
      (name) => `the column ${shown(name)} is no field; a mapping can say which one it fills`,
    );
    return { fields: header as readonly CsvField[], isExact: header.every((name) => EXACT.includes(name)) };
  }
  refuseAny(
    Object.keys(mapping).filter((name) => !header.includes(name)),
    (name) => `the header has no column ${shown(name)}`,
  );
  const fields = header.map((name) => (Object.hasOwn(mapping, name) ? mapping[name] : undefined));
  return { fields, isExact: false };
}

function duplicatesOf(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name).size);
}

function refuseAny(names: readonly string[], reason: (name: string) => string): void {
  const details: ErrorDetail[] = names
    .slice(0, MAX_SHOWN_NAMES)
    .map((name) => ({ path: 'query.mapping', message: reason(name) }));
  const [first] = details;
  if (first !== undefined) throw new AppError('VALIDATION_FAILED', first.message, { details });
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}
