import { useMemo, useState, type ReactNode } from 'react';
import { HostileText } from '../text/hostile-text.tsx';
import { counted } from '../text/format.ts';
import { visibleText } from '../text/visible-text.ts';
import { SelectField } from '../ui/fields.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { DELIMITERS, type Delimiter } from './csv.ts';
import { IMPORT_FIELDS, mapped, type ImportField, type InputType } from './import-fields.ts';
import { CONFLICT_IDS, CONFLICTS, previewOf, withDelimiter, type Conflict, type ImportPlan } from './import-plan.ts';
import { FORMAT_IDS, FORMATS, headerOf, type FileHead, type ImportFormat, type PreviewRow } from './import-preview.ts';

interface SetupProps {
  readonly head: FileHead;
  readonly plan: ImportPlan;
  readonly inputType: InputType;
  readonly onPlan: (plan: ImportPlan) => void;
}

/** How a file is read, and the first rows that come of it. */
export function ImportSetup(props: SetupProps): ReactNode {
  const { head, plan, inputType, onPlan } = props;
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-3 sm:grid-cols-3">
        <SelectField
          label="Form of the file"
          value={plan.format}
          options={FORMAT_IDS.map((id) => ({ id, label: FORMATS[id] }))}
          onChange={(format) => onPlan({ ...plan, format: format as ImportFormat })}
        />
        {plan.format === 'csv' ? (
          <SelectField
            label="Columns are separated by"
            value={plan.delimiter}
            options={(Object.keys(DELIMITERS) as Delimiter[]).map((id) => ({ id, label: DELIMITER_LABELS[id] }))}
            onChange={(delimiter) => onPlan(withDelimiter(plan, head, delimiter as Delimiter, inputType))}
          />
        ) : null}
        <SelectField
          label="An Example that is there already"
          value={plan.conflict}
          options={CONFLICT_IDS.map((id) => ({ id, label: CONFLICTS[id] }))}
          onChange={(conflict) => onPlan({ ...plan, conflict: conflict as Conflict })}
        />
      </div>
      {plan.format === 'csv' ? <ColumnMapping {...props} /> : null}
      <Preview {...{ head, plan }} />
    </div>
  );
}

const DELIMITER_LABELS: Readonly<Record<Delimiter, string>> = { comma: 'Commas', semicolon: 'Semicolons', tab: 'Tabs' };
const LEFT_OUT = '';

function ColumnMapping({ head, plan, onPlan }: SetupProps): ReactNode {
  // Arrow keys pass fields of other columns, which lose them only if one stays there: the mapping before the first step.
  const [turn, setTurn] = useState<{ readonly column: string; readonly before: ImportPlan['mapping'] }>();
  const take = (column: string, field: ImportField | undefined) => {
    const before = turn?.column === column ? turn.before : plan.mapping;
    setTurn({ column, before });
    onPlan({ ...plan, mapping: mapped(before, column, field) });
  };
  const header = headerOf(head, plan.delimiter);
  const fields = (Object.keys(IMPORT_FIELDS) as ImportField[]).filter((field) => !IMPORT_FIELDS[field].endsWith(' '));
  return (
    <fieldset className="rounded-lg border border-line px-3 pt-1 pb-3">
      <legend className="px-1 font-medium">What the columns fill</legend>
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-3">
        {header.map((column, at) => {
          const chosen = Object.hasOwn(plan.mapping, column) ? plan.mapping[column] : undefined;
          const offered = chosen === undefined || fields.includes(chosen) ? fields : [...fields, chosen];
          return (
            <div key={`${at} ${column}`} className="contents" onBlur={() => setTurn(undefined)}>
              <SelectField
                label={
                  <HostileText className="font-mono text-xs" text={column === '' ? 'column without a name' : column} />
                }
                value={chosen ?? LEFT_OUT}
                options={[
                  { id: LEFT_OUT, label: 'Leave it out' },
                  ...offered.map((id) => ({ id, label: IMPORT_FIELDS[id].trim() })),
                ]}
                onChange={(field) => take(column, field === LEFT_OUT ? undefined : (field as ImportField))}
              />
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}

const TEXT = 'max-w-60';
const COLUMNS: TableColumn<PreviewRow>[] = [
  { id: 'line', header: 'Line', className: 'w-12 text-right text-muted tabular-nums', cell: ({ line }) => line },
  { id: 'input', header: 'Input', className: TEXT, cell: ({ input }) => <Words text={input} /> },
  { id: 'expected', header: 'Expected', className: TEXT, cell: ({ expected }) => <Words text={expected} /> },
  { id: 'rejected', header: 'Rejected', className: TEXT, cell: ({ rejected }) => <Words text={rejected} /> },
  { id: 'tags', header: 'Tags', cell: ({ tags }) => <Words text={tags} /> },
  {
    id: 'problem',
    header: 'Problem',
    cell: ({ problem }) => (problem === undefined ? '' : <span className="text-critical">{problem}</span>),
  },
];

const MAX_SHOWN = 200;

function Words({ text }: { readonly text: string }): ReactNode {
  return text === '' ? (
    <span className="text-muted">–</span>
  ) : (
    <span title={visibleText(text.slice(0, MAX_SHOWN))} className="block truncate">
      <HostileText text={text.slice(0, MAX_SHOWN)} />
    </span>
  );
}

function Preview({ head, plan }: Pick<SetupProps, 'head' | 'plan'>): ReactNode {
  const rows = useMemo(() => previewOf(head, plan), [head, plan]);
  const wrong = rows.filter(({ problem }) => problem !== undefined).length;
  // Columns of which no row has anything tell nothing.
  const columns = COLUMNS.filter(
    ({ id }) => id === 'line' || id === 'input' || rows.some((row) => Boolean(row[id as keyof PreviewRow])),
  );
  if (rows.length === 0) return <p className="text-muted">The file has no rows that can be shown.</p>;
  return (
    <div className="flex flex-col gap-1">
      <p aria-live="polite" className="text-xs text-muted">
        {head.isCut || rows.length === 20 ? `The first ${counted(rows.length, 'row')}` : counted(rows.length, 'row')}
        {wrong === 0 ? ', as they will be read.' : `, of which ${wrong} would be refused; the others are imported.`}
      </p>
      <div className="max-h-72 overflow-auto">
        <Table label="First rows of the file" rows={rows} columns={columns} idOf={({ line }) => String(line)} />
      </div>
    </div>
  );
}
