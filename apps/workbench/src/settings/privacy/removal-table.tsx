import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { count, counted, duration } from '../../text/format.ts';
import { Time } from '../../text/time.tsx';
import { Badge } from '../../ui/badges.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { removedText } from './masking-form.ts';

interface Mechanism {
  readonly name: string;
  readonly text: string;
  readonly state: Api.RetentionState;
}

const COLUMNS: TableColumn<Mechanism>[] = [
  {
    id: 'name',
    header: 'Mechanism',
    cell: ({ name, text }) => (
      <>
        <span className="font-medium">{name}</span>
        <span className="block text-xs text-muted">{text}</span>
      </>
    ),
  },
  {
    id: 'run',
    header: 'Last run',
    className: 'whitespace-nowrap',
    cell: ({ state: { lastRunAt, isRunning } }) => (
      <>
        {lastRunAt === null ? 'Not yet' : <Time atMs={lastRunAt} />}
        {isRunning ? (
          <span className="block">
            <Badge tone="low">Runs now</Badge>
          </span>
        ) : null}
      </>
    ),
  },
  { id: 'removed', header: 'It removed', cell: ({ state }) => removedText(state.removed, count) },
  { id: 'total', header: 'In total', cell: ({ state }) => removedText(state.removedInTotal, count) },
  {
    id: 'backlog',
    header: 'Is still to go',
    cell: ({ state: { backlog, oldestAgeMs } }) =>
      backlog === 0 ? (
        <Badge tone="ok">Nothing</Badge>
      ) : (
        <Badge tone="medium">
          {counted(backlog, 'thing')}, the first since {duration(oldestAgeMs)}
        </Badge>
      ),
  },
];

/** Table of what each mechanism of retention has removed. */
export function RemovalTable({ states }: { readonly states: Api.RetentionStates }): ReactNode {
  const rows: Mechanism[] = [
    { name: 'Conversations and spans', text: 'Removes what is older than its days.', state: states.telemetry },
    { name: 'What was said', text: 'Removes words, and leaves the structure.', state: states.rawPayload },
    { name: 'Maintenance', text: 'Removes former snapshots and what nothing refers to.', state: states.maintenance },
  ];
  return <Table label="Removals" rows={rows} columns={COLUMNS} idOf={({ name }) => name} />;
}
