import type { ReactNode } from 'react';
import { cx } from './cx.ts';

export interface TableColumn<Row> {
  readonly id: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  readonly className?: string;
}

interface TableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly TableColumn<Row>[];
  readonly idOf: (row: Row) => string;
}

/** Table of few rows, such as keys or members; long lists are grids. */
export function Table<Row>({ label, rows, columns, idOf }: TableProps<Row>): ReactNode {
  return (
    <div className="overflow-x-auto" role="region" aria-label={label} tabIndex={0}>
      <table className="w-full border-collapse text-left">
        <thead className="text-xs text-muted">
          <tr className="border-b border-line">
            {columns.map(({ id, header, className }) => (
              <th key={id} scope="col" className={cx('h-8 pr-3 font-medium whitespace-nowrap', className)}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)} className="border-b border-line align-top">
              {columns.map(({ id, cell, className }) => (
                <td key={id} className={cx('py-1.5 pr-3', className)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
