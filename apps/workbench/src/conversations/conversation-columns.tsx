import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { count, duration } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { Badge } from '../ui/badges.tsx';
import type { GridColumn } from '../ui/grid.tsx';

type Summary = Api.ConversationSummary;
const NUMBER = 'text-right tabular-nums';

/** Columns of the list of conversations. */
export function conversationColumns(projectId: string): GridColumn<Summary>[] {
  return [
    {
      id: 'preview',
      header: 'First words',
      track: 'minmax(14rem, 1fr)',
      cell: (row) => <Preview {...{ row, projectId }} />,
    },
    {
      id: 'state',
      header: 'State',
      track: '5rem',
      cell: ({ state }) => <span className="text-muted capitalize">{state}</span>,
    },
    {
      ...{ id: 'findings', header: 'Findings', track: '4.5rem', className: NUMBER },
      cell: ({ findingCount }) => (findingCount === 0 ? <None /> : <Badge tone="high">{count(findingCount)}</Badge>),
    },
    {
      ...{ id: 'errors', header: 'Errors', track: '4rem', className: NUMBER },
      cell: ({ errorCount }) => (errorCount === 0 ? <None /> : <Badge tone="critical">{count(errorCount)}</Badge>),
    },
    {
      ...{ id: 'messages', header: 'Messages', track: '5rem', className: NUMBER },
      cell: ({ messageCount }) => count(messageCount),
    },
    { id: 'agents', header: 'Agents', track: '8rem', cell: ({ agents }) => <Names names={agents} /> },
    { id: 'models', header: 'Models', track: '9rem', cell: ({ models }) => <Names names={models} /> },
    {
      ...{ id: 'tokens', header: 'Tokens', track: '4.5rem', className: NUMBER },
      cell: ({ usage }) => count(usage.inputTokens + usage.outputTokens),
    },
    {
      ...{ id: 'duration', header: 'Length', track: '5.5rem', className: NUMBER },
      cell: ({ startedAt, lastActivityAt }) => duration(Math.max(0, lastActivityAt - startedAt)),
    },
    {
      ...{ id: 'start', header: 'Started', track: '5.5rem', className: `${NUMBER} text-muted` },
      cell: ({ startedAt }) => <Time atMs={startedAt} />,
    },
  ];
}

function None(): ReactNode {
  return <span className="text-muted">–</span>;
}

function Preview({ row, projectId }: { readonly row: Summary; readonly projectId: string }): ReactNode {
  return (
    <Link
      to="/p/$projectId/conversations/$conversationId"
      params={{ projectId, conversationId: row.id }}
      tabIndex={-1}
      className="block truncate font-medium hover:underline"
    >
      {row.preview === '' ? (
        <span className="font-mono text-xs text-muted">{row.id}</span>
      ) : (
        <HostileText text={row.preview} />
      )}
    </Link>
  );
}

function Names({ names }: { readonly names: readonly string[] }): ReactNode {
  const [first] = names;
  if (first === undefined) return <None />;
  return (
    <span className="flex min-w-0 gap-1" title={names.join(', ')}>
      <HostileText className="truncate" text={first} />
      {names.length > 1 ? <span className="shrink-0 text-muted">+{names.length - 1}</span> : null}
    </span>
  );
}
