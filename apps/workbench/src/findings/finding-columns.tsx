import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { count, fullTime, relativeTime } from '../text/format.ts';
import { HostileText, VisibleText } from '../text/hostile-text.tsx';
import { Badge, SEVERITY_CELL, StatusBadge } from '../ui/badges.tsx';
import type { GridColumn } from '../ui/grid.tsx';
import { pageAddress, RowLink } from '../ui/row-link.tsx';

/** Columns that leave room for a panel beside the list. */
const FEW: readonly string[] = ['severity', 'title', 'state', 'occurrences', 'last'];
/** Room that there is: beside a panel, in a usual window, or in a wide one. */
export type Room = 'little' | 'usual' | 'wide';

/** Columns of the list of Findings. */
export function findingColumns(
  projectId: string,
  nameOf: (id: string) => string,
  room: Room,
): GridColumn<Api.Finding>[] {
  const isNarrow = room === 'little';
  const columns: GridColumn<Api.Finding>[] = [
    { id: 'severity', header: 'Severity', track: '6.5rem', ...SEVERITY_CELL },
    {
      id: 'title',
      header: 'Finding',
      track: isNarrow ? 'minmax(10rem, 3fr)' : 'minmax(18rem, 3fr)',
      className: 'flex items-baseline gap-2',
      cell: (finding) => <Title {...{ finding, projectId }} withRule={room === 'wide'} />,
    },
    {
      id: 'state',
      header: 'State',
      track: isNarrow ? '7rem' : 'minmax(6.5rem, 9.5rem)',
      className: 'flex gap-1',
      cell: (finding) => <States finding={finding} />,
    },
    {
      id: 'occurrences',
      header: 'Conversations',
      track: '6rem',
      className: 'text-right tabular-nums',
      cell: ({ occurrenceCount }) => count(occurrenceCount),
    },
    {
      id: 'last',
      header: 'Last seen',
      track: '5.5rem',
      className: 'text-right text-muted tabular-nums',
      titleOf: ({ lastDetectedAt }) => fullTime(lastDetectedAt),
      cell: ({ lastDetectedAt }) => relativeTime(lastDetectedAt, Date.now()),
    },
    {
      id: 'first',
      header: 'First seen',
      track: '5.5rem',
      className: 'text-right text-muted tabular-nums',
      titleOf: ({ firstDetectedAt }) => fullTime(firstDetectedAt),
      cell: ({ firstDetectedAt }) => relativeTime(firstDetectedAt, Date.now()),
    },
    {
      id: 'assignee',
      header: 'Assignee',
      track: '7.5rem',
      className: 'pl-3',
      cell: ({ assignee }) => (assignee === null ? null : <HostileText text={nameOf(assignee)} />),
    },
    { id: 'work', header: 'Work item', track: '6.5rem', cell: ({ workItem }) => <WorkItemCell workItem={workItem} /> },
  ];
  if (isNarrow) return columns.filter(({ id }) => FEW.includes(id));
  return room === 'wide' ? columns : columns.filter(({ id }) => id !== 'first');
}

interface TitleProps {
  readonly finding: Api.Finding;
  readonly projectId: string;
  readonly withRule: boolean;
}

function Title({ finding, projectId, withRule }: TitleProps): ReactNode {
  return (
    <>
      <RowLink href={pageAddress(projectId, 'findings', finding.id)}>
        <VisibleText text={finding.title} />
      </RowLink>
      {withRule ? (
        <span className="shrink-0 font-mono text-xs text-muted">{finding.metadata.diagnosticRule.ruleKey}</span>
      ) : null}
    </>
  );
}

function States({ finding }: { readonly finding: Api.Finding }): ReactNode {
  const { reviewStatus, resolutionStatus, snooze } = finding;
  return (
    <>
      <StatusBadge status={reviewStatus} />
      {resolutionStatus === 'unresolved' ? null : <StatusBadge status={resolutionStatus} />}
      {snooze === null ? null : <Badge tone="info">Snoozed</Badge>}
    </>
  );
}

function WorkItemCell({ workItem }: { readonly workItem: Api.WorkItem | null }): ReactNode {
  if (workItem === null) return null;
  const label = workItem.externalKey ?? workItem.provider;
  return workItem.syncState === 'error' ? <Badge tone="critical">{label} failed</Badge> : <HostileText text={label} />;
}
