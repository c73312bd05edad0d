import { Link } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { count } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { Badge } from '../ui/badges.tsx';
import { FirstUse } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { tracesOf, type ConversationTrace } from './traces.ts';

interface TracesProps {
  readonly projectId: string;
  readonly conversation: Api.Conversation;
}

/** Traces of a conversation, each of which leads to its spans. */
export function TracesView({ projectId, conversation }: TracesProps): ReactNode {
  const traces = useMemo(() => tracesOf(conversation), [conversation]);
  const columns = useMemo(() => columnsOf(projectId), [projectId]);
  if (traces.length === 0) {
    return <FirstUse title="No traces">The conversation has no spans, as when it was imported from a file.</FirstUse>;
  }
  return (
    <div className="overflow-auto px-4 py-3">
      <Table label="Traces" rows={traces} columns={columns} idOf={({ traceId }) => traceId} />
    </div>
  );
}

const NUMBER = 'w-20 text-right tabular-nums';

function columnsOf(projectId: string): TableColumn<ConversationTrace>[] {
  return [
    {
      id: 'trace',
      header: 'Trace',
      className: 'w-72 font-mono text-xs',
      cell: ({ traceId }) => (
        <Link to="/p/$projectId/traces/$traceId" params={{ projectId, traceId }} className="underline">
          <HostileText text={traceId} />
        </Link>
      ),
    },
    { id: 'words', header: 'Begins with', cell: ({ words }) => <HostileText text={words} /> },
    { id: 'messages', header: 'Messages', className: NUMBER, cell: ({ messages }) => count(messages) },
    {
      id: 'errors',
      header: 'Errors',
      className: NUMBER,
      cell: ({ errors }) => (errors === 0 ? '–' : <Badge tone="critical">{count(errors)}</Badge>),
    },
    {
      id: 'at',
      header: 'Began',
      className: 'w-24 text-muted',
      cell: ({ atMs }) => (atMs === undefined ? '–' : <Time atMs={atMs} />),
    },
  ];
}
