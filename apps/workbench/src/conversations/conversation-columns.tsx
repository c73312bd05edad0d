import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { count, duration, fullTime, relativeTime } from '../text/format.ts';
import { HostileText, VisibleText } from '../text/hostile-text.tsx';
import { visibleText } from '../text/visible-text.ts';
import { Badge } from '../ui/badges.tsx';
import type { GridColumn } from '../ui/grid.tsx';
import { pageAddress, RowLink } from '../ui/row-link.tsx';

type Summary = Api.ConversationSummary;
const NUMBER = 'text-right tabular-nums';
const NAMES = 'flex gap-1';

/** Columns that leave room for a panel beside the list. */
const FEW: readonly string[] = ['preview', 'findings', 'errors', 'messages', 'start'];

/** Columns of the list of conversations. */
export function conversationColumns(
  projectId: string,
  { isNarrow, find }: { isNarrow: boolean; find: string | undefined },
): GridColumn<Summary>[] {
  const columns: GridColumn<Summary>[] = [
    {
      id: 'preview',
      header: 'First words',
      track: 'minmax(14rem, 1fr)',
      cell: (row) => <Preview {...{ row, projectId, find }} />,
    },
    {
      id: 'state',
      header: 'State',
      track: '5rem',
      className: 'text-muted capitalize',
      cell: ({ state }) => state,
    },
    {
      ...{ id: 'findings', header: 'Findings', track: '4.5rem', className: NUMBER },
      cell: ({ findingCount }) => (findingCount === 0 ? null : <Badge tone="high">{count(findingCount)}</Badge>),
    },
    {
      ...{ id: 'errors', header: 'Errors', track: '4rem', className: NUMBER },
      cell: ({ errorCount }) => (errorCount === 0 ? null : <Badge tone="critical">{count(errorCount)}</Badge>),
    },
    {
      ...{ id: 'messages', header: 'Messages', track: '5rem', className: NUMBER },
      cell: ({ messageCount }) => count(messageCount),
    },
    {
      ...{ id: 'agents', header: 'Agents', track: '8rem', className: `${NAMES} pl-3` },
      titleOf: ({ agents }) => agents.map(visibleText).join(', '),
      cell: ({ agents }) => <Names names={agents} />,
    },
    {
      ...{ id: 'models', header: 'Models', track: '9rem', className: NAMES },
      titleOf: ({ models }) => models.map(visibleText).join(', '),
      cell: ({ models }) => <Names names={models} />,
    },
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
      titleOf: ({ startedAt }) => fullTime(startedAt),
      cell: ({ startedAt }) => relativeTime(startedAt, Date.now()),
    },
  ];
  return isNarrow ? columns.filter(({ id }) => FEW.includes(id)) : columns;
}

interface PreviewProps {
  readonly row: Summary;
  readonly projectId: string;
  /** Words that the list was searched for. */
  readonly find: string | undefined;
}

function Preview({ row, projectId, find }: PreviewProps): ReactNode {
  const address = pageAddress(projectId, 'conversations', row.id);
  return (
    <RowLink href={find === undefined ? address : `${address}?find=${encodeURIComponent(find)}`}>
      {row.preview === '' ? (
        <span className="font-mono text-xs text-muted">{row.id}</span>
      ) : (
        <VisibleText text={row.preview} />
      )}
    </RowLink>
  );
}

function Names({ names }: { readonly names: readonly string[] }): ReactNode {
  const [first] = names;
  if (first === undefined) return null;
  return (
    <>
      <HostileText className="truncate" text={first} />
      {names.length > 1 ? <span className="shrink-0 text-muted">+{names.length - 1}</span> : null}
    </>
  );
}
