import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { findingQuery, findingsKey } from '../api/queries.ts';
import { useChange } from '../ui/use-change.ts';
import { safeExternalUrl } from '../text/external-url.ts';
import { sentence, words } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { visibleText } from '../text/visible-text.ts';
import { Badge, type Tone } from '../ui/badges.tsx';
import { Button } from '../ui/button.tsx';
import type { GridColumn } from '../ui/grid.tsx';
import { TRACKERS } from './trackers.ts';
import { deedOf } from './work-items-search.ts';

const SYNC_TONES: Readonly<Record<Api.WorkItem['syncState'], Tone>> = {
  pending: 'medium',
  synced: 'ok',
  error: 'critical',
};
const SYNC_LABELS: Readonly<Record<Api.WorkItem['syncState'], string>> = {
  pending: 'Being synchronized',
  synced: 'In step',
  error: 'Did not work',
};

/** Columns of the list of work items. */
export function workItemColumns(projectId: string, mayWrite: boolean): GridColumn<Api.WorkItem>[] {
  return [
    {
      id: 'finding',
      header: 'Finding',
      track: 'minmax(14rem,3fr)',
      cell: ({ findingId }) => <FindingTitle {...{ projectId, findingId }} />,
    },
    { id: 'issue', header: 'Issue', track: 'minmax(10rem,1.5fr)', cell: (item) => <Issue item={item} /> },
    {
      id: 'status',
      header: 'State',
      track: '9rem',
      cell: ({ status, doneReason, ended }) => (
        <>
          <Badge tone={status === 'done' ? 'ok' : 'low'}>{sentence(status)}</Badge>
          <span className="block truncate text-xs text-muted">
            {ended ?? (doneReason === null ? '' : words(doneReason))}
          </span>
        </>
      ),
    },
    {
      id: 'sync',
      header: 'In step',
      track: 'minmax(11rem,2fr)',
      cell: ({ syncState, syncError, lastSyncedAt }) => (
        <>
          <Badge tone={SYNC_TONES[syncState]}>{SYNC_LABELS[syncState]}</Badge>{' '}
          {lastSyncedAt === null ? null : <Time atMs={lastSyncedAt} className="text-xs text-muted" />}
          {syncError === null ? null : (
            <span className="block truncate text-xs text-critical" title={visibleText(syncError)}>
              <HostileText text={syncError} />
            </span>
          )}
        </>
      ),
    },
    { id: 'made', header: 'Made', track: '6rem', cell: ({ createdAt }) => <Time atMs={createdAt} /> },
    {
      id: 'deeds',
      header: <span className="sr-only">Deeds</span>,
      track: '7.5rem',
      className: 'text-right',
      cell: (item) => (mayWrite ? <Deed {...{ projectId, item }} /> : null),
    },
  ];
}

interface FindingTitleProps {
  readonly projectId: string;
  readonly findingId: string;
}

function FindingTitle({ projectId, findingId }: FindingTitleProps): ReactNode {
  const { data } = useQuery(findingQuery(projectId, findingId));
  return (
    <Link
      to="/p/$projectId/findings/$findingId"
      params={{ projectId, findingId }}
      tabIndex={-1}
      className="font-medium hover:underline"
    >
      <HostileText text={data?.title ?? findingId} />
    </Link>
  );
}

function Issue({ item: { provider, externalKey, externalUrl } }: { readonly item: Api.WorkItem }): ReactNode {
  const href = safeExternalUrl(externalUrl);
  const name = externalKey ?? (href === undefined ? 'Not made yet' : 'Issue');
  return (
    <>
      {href === undefined ? (
        <HostileText text={name} />
      ) : (
        <a
          href={href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          tabIndex={-1}
          className="inline-flex max-w-full items-center gap-1 underline"
        >
          <HostileText className="truncate" text={name} />
          <ExternalLink aria-hidden className="size-3 shrink-0" />
        </a>
      )}
      <span className="block truncate text-xs text-muted">
        {href === undefined ? TRACKERS[provider] : new URL(href).host}
      </span>
    </>
  );
}

function Deed({ projectId, item }: { readonly projectId: string; readonly item: Api.WorkItem }): ReactNode {
  const deed = deedOf(item);
  const run = useChange(
    async (verb: 'retry' | 'sync') => {
      await clew.workItems[verb](item.findingId, item.id, { project: projectId });
    },
    { invalidates: [['work-items', projectId], findingsKey(projectId)] },
  );
  if (deed === undefined) return null;
  return (
    <Button look="quiet" isDisabled={run.isPending} onPress={() => run.mutate(deed)}>
      {deed === 'retry' ? 'Try again' : 'Synchronize'}
    </Button>
  );
}
