import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { count } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { Badge, SeverityMark, StatusBadge } from '../ui/badges.tsx';
import type { GridColumn } from '../ui/grid.tsx';

/** Columns of the list of Findings. */
export function findingColumns(projectId: string, nameOf: (id: string) => string): GridColumn<Api.Finding>[] {
  return [
    {
      id: 'severity',
      header: 'Severity',
      track: '6.5rem',
      cell: ({ severity }) => <SeverityMark severity={severity} />,
    },
    {
      id: 'title',
      header: 'Finding',
      track: 'minmax(18rem, 3fr)',
      cell: (finding) => <Title {...{ finding, projectId }} />,
    },
    { id: 'state', header: 'State', track: 'minmax(6.5rem, 12rem)', cell: (finding) => <States finding={finding} /> },
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
      cell: ({ lastDetectedAt }) => <Time atMs={lastDetectedAt} />,
    },
    {
      id: 'first',
      header: 'First seen',
      track: '5.5rem',
      className: 'text-right text-muted tabular-nums',
      cell: ({ firstDetectedAt }) => <Time atMs={firstDetectedAt} />,
    },
    {
      id: 'assignee',
      header: 'Assignee',
      track: '7.5rem',
      cell: ({ assignee }) =>
        assignee === null ? <span className="text-muted">–</span> : <HostileText text={nameOf(assignee)} />,
    },
    { id: 'work', header: 'Work item', track: '6.5rem', cell: ({ workItem }) => <WorkItemCell workItem={workItem} /> },
  ];
}

function Title({ finding, projectId }: { readonly finding: Api.Finding; readonly projectId: string }): ReactNode {
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <Link
        to="/p/$projectId/findings/$findingId"
        params={{ projectId, findingId: finding.id }}
        tabIndex={-1}
        className="truncate font-medium hover:underline"
      >
        <HostileText text={finding.title} />
      </Link>
      <span className="shrink-0 truncate font-mono text-xs text-muted max-2xl:hidden">
        {finding.metadata.diagnosticRule.ruleKey}
      </span>
    </span>
  );
}

function States({ finding }: { readonly finding: Api.Finding }): ReactNode {
  const { reviewStatus, resolutionStatus, snooze } = finding;
  return (
    <span className="flex gap-1">
      <StatusBadge status={reviewStatus} />
      {resolutionStatus === 'unresolved' ? null : <StatusBadge status={resolutionStatus} />}
      {snooze === null ? null : <Badge tone="info">Snoozed</Badge>}
    </span>
  );
}

function WorkItemCell({ workItem }: { readonly workItem: Api.WorkItem | null }): ReactNode {
  if (workItem === null) return <span className="text-muted">–</span>;
  const label = workItem.externalKey ?? workItem.provider;
  return workItem.syncState === 'error' ? (
    <Badge tone="critical">{label} failed</Badge>
  ) : (
    <HostileText className="truncate" text={label} />
  );
}
