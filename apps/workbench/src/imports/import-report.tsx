import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { count, counted } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Button } from '../ui/button.tsx';
import { saveFile } from '../ui/save-file.ts';
import { Table, type TableColumn } from '../ui/table.tsx';
import { csvText } from './csv.ts';

type Refused = Api.DatasetImportReport['refused'][number];

const COLUMNS: TableColumn<Refused>[] = [
  { id: 'line', header: 'Line', className: 'w-16 text-right tabular-nums', cell: ({ line }) => count(line) },
  {
    id: 'path',
    header: 'Field',
    className: 'w-64',
    cell: ({ path }) =>
      path === '' ? (
        <span className="text-muted">whole line</span>
      ) : (
        <HostileText className="font-mono text-xs" text={path} />
      ),
  },
  { id: 'reason', header: 'Reason', cell: ({ reason }) => <HostileText text={reason} /> },
];

/** Outcome of an import: figures, and each refused line with its reason. */
export function ImportReport({ report }: { readonly report: Api.DatasetImportReport }): ReactNode {
  const { imported, updated, skipped, refusedCount, refused, nearDuplicates } = report;
  const download = () =>
    saveFile(
      'refused-lines.csv',
      'text/csv',
      csvText([['line', 'path', 'reason'], ...refused.map(({ line, path, reason }) => [line, path, reason])]),
    );
  return (
    <section aria-label="What came of it" className="flex flex-col gap-3">
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        <Figure name="Imported" value={imported} />
        <Figure name="Updated" value={updated} />
        <Figure name="Skipped, were there" value={skipped} />
        <Figure name="Refused" value={refusedCount} isBad={refusedCount > 0} />
        <Figure name="Resemble another one" value={nearDuplicates.count} />
      </dl>
      {refused.length === 0 ? null : (
        <>
          <div className="flex items-center gap-2">
            <h3 className="font-medium">
              {refusedCount > refused.length
                ? `The first ${count(refused.length)} of ${counted(refusedCount, 'refused line')}`
                : counted(refusedCount, 'refused line')}
            </h3>
            <Button className="ml-auto" onPress={download}>
              Download as CSV
            </Button>
          </div>
          <div className="max-h-80 overflow-auto">
            <Table
              label="Refused lines"
              rows={refused}
              columns={COLUMNS}
              idOf={({ line, path }) => `${line} ${path}`}
            />
          </div>
        </>
      )}
    </section>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: number;
  readonly isBad?: boolean;
}

function Figure({ name, value, isBad = false }: FigureProps): ReactNode {
  return (
    <div>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className={`text-xl font-semibold tabular-nums ${isBad ? 'text-critical' : ''}`}>{count(value)}</dd>
    </div>
  );
}
