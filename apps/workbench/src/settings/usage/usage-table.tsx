import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { meQuery } from '../../api/queries.ts';
import { may } from '../../api/rights.ts';
import { useNames } from '../../api/use-names.ts';
import { count } from '../../text/format.ts';
import { HostileText } from '../../text/hostile-text.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { keysQuery, type UsageGrouping } from '../queries.ts';
import { bytesText, costText } from './figures.ts';

interface UsageTableProps {
  readonly projectId: string;
  readonly by: UsageGrouping;
  readonly rows: readonly Api.UsageRow[];
  readonly isComplete: boolean;
}

const NUMBER = 'text-right tabular-nums whitespace-nowrap';

/** Usage by day, model or key. */
export function UsageTable({ projectId, by, rows, isComplete }: UsageTableProps): ReactNode {
  const { data: me } = useQuery(meQuery);
  const mayKeys = me !== undefined && may(me, projectId, 'project:keys:manage');
  const { data: keys = [] } = useQuery({ ...keysQuery(projectId), enabled: by === 'key' && mayKeys });
  const nameOf = useNames(projectId);
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  const groupText = (group: string) => (by === 'key' ? (names.get(group) ?? nameOf(group)) : group);
  if (rows.length === 0) return <p className="text-muted">Nothing was used in these days.</p>;
  const all: (TableColumn<Api.UsageRow> | false)[] = [
    {
      id: 'group',
      header: { day: 'Day', model: 'Model', key: 'Key, person or service' }[by],
      cell: ({ group }) => <HostileText className="font-medium" text={groupText(group)} />,
    },
    {
      id: 'calls',
      header: 'Calls',
      className: NUMBER,
      cell: ({ calls, failedCalls }) => (
        <>
          {count(calls)}
          {failedCalls === 0 ? null : <span className="block text-xs text-critical">{count(failedCalls)} failed</span>}
        </>
      ),
    },
    { id: 'in', header: 'Tokens in', className: NUMBER, cell: ({ inputTokens }) => count(inputTokens) },
    { id: 'out', header: 'Tokens out', className: NUMBER, cell: ({ outputTokens }) => count(outputTokens) },
    {
      id: 'cost',
      header: 'Cost',
      className: NUMBER,
      cell: ({ costs, unpricedTokens }) => (
        <>
          {costText(costs)}
          {unpricedTokens === 0 ? null : (
            <span className="block text-xs text-muted">{count(unpricedTokens)} tokens without a price</span>
          )}
        </>
      ),
    },
    by === 'day' && {
      id: 'received',
      header: 'Received',
      className: NUMBER,
      cell: ({ ingestedBytes, ingestedRecords }) => (
        <>
          {ingestedBytes === null ? '–' : bytesText(ingestedBytes)}
          {ingestedRecords === null ? null : (
            <span className="block text-xs text-muted">{count(ingestedRecords)} records</span>
          )}
        </>
      ),
    },
    by === 'day' && {
      id: 'stored',
      header: 'Stored',
      className: NUMBER,
      cell: ({ storedBytes }) => (storedBytes === null ? '–' : bytesText(storedBytes)),
    },
  ];
  const columns = all.filter((column) => column !== false);
  const shown = by === 'day' ? [...rows].reverse() : rows;
  return (
    <>
      <Table label={`Usage by ${by}`} rows={shown} columns={columns} idOf={({ group }) => group} />
      {isComplete ? null : (
        <p className="mt-2 text-muted">There are more than a thousand groups; the rest is left out.</p>
      )}
    </>
  );
}
