import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { OBJECTIVES } from '../collection/words.ts';
import { count } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { visibleText } from '../text/visible-text.ts';
import { Badge, type Tone } from '../ui/badges.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import type { GridColumn } from '../ui/grid.tsx';

export const COLLECTION_LABELS: Readonly<Record<Api.Dataset['collectionStatus'], string>> = {
  ready: 'Collects',
  setup_required: 'Setup required',
  off: 'Off',
};

const TONES: Readonly<Record<Api.Dataset['collectionStatus'], Tone>> = {
  ready: 'ok',
  setup_required: 'high',
  off: 'info',
};

/** State of the collection of a Dataset. */
export function CollectionBadge({ status }: { readonly status: Api.Dataset['collectionStatus'] }): ReactNode {
  return <Badge tone={TONES[status]}>{COLLECTION_LABELS[status]}</Badge>;
}

interface Deeds {
  readonly projectId: string;
  /** Switches the collection of a Dataset on; absent where the person may not. */
  readonly onSwitchOn: ((dataset: Api.Dataset) => void) | undefined;
}

const NUMBER = 'text-right tabular-nums';

/** Columns of the list of Datasets. */
export function datasetColumns({ projectId, onSwitchOn }: Deeds): GridColumn<Api.Dataset>[] {
  return [
    {
      id: 'name',
      header: 'Dataset',
      track: 'minmax(14rem, 2fr)',
      cell: (dataset) => <Name {...{ projectId, dataset }} />,
    },
    { id: 'examples', header: 'Examples', track: '5rem', className: NUMBER, cell: (row) => count(row.exampleCount) },
    { id: 'version', header: 'Version', track: '4.5rem', className: NUMBER, cell: ({ version }) => count(version) },
    {
      id: 'collects',
      header: 'Collects',
      track: 'minmax(11rem, 1fr)',
      cell: ({ collectionPolicy }) =>
        collectionPolicy === null ? (
          <span className="text-muted">Nothing by itself</span>
        ) : (
          OBJECTIVES[collectionPolicy.objective].title
        ),
    },
    {
      id: 'state',
      header: 'Collection',
      track: 'minmax(12rem, 2fr)',
      cell: (dataset) => <Collection {...{ projectId, dataset, onSwitchOn }} />,
    },
    {
      id: 'changed',
      header: 'Last change',
      track: '6rem',
      className: `${NUMBER} text-muted`,
      cell: ({ updatedAt }) => <Time atMs={updatedAt} />,
    },
  ];
}

function Name({ projectId, dataset }: { readonly projectId: string; readonly dataset: Api.Dataset }): ReactNode {
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <Link
        to="/p/$projectId/datasets/$datasetId"
        params={{ projectId, datasetId: dataset.id }}
        tabIndex={-1}
        className="max-w-[65%] shrink-0 truncate font-medium hover:underline"
      >
        <HostileText text={dataset.name} />
      </Link>
      {dataset.description === null ? null : (
        <span className="truncate text-xs text-muted max-xl:hidden">
          <HostileText text={dataset.description.slice(0, 200)} />
        </span>
      )}
    </span>
  );
}

function Collection({ projectId, dataset, onSwitchOn }: Deeds & { readonly dataset: Api.Dataset }): ReactNode {
  const { collectionStatus, collectionPolicy, blockedReason } = dataset;
  const canSwitchOn = collectionStatus === 'off' && collectionPolicy !== null && onSwitchOn !== undefined;
  if (collectionStatus === 'off' && collectionPolicy === null) return <span className="text-muted">–</span>;
  return (
    <span className="flex min-w-0 items-center gap-2">
      <CollectionBadge status={collectionStatus} />
      {blockedReason === null ? null : (
        <span title={visibleText(blockedReason)} className="min-w-0 truncate text-xs text-muted">
          <HostileText text={blockedReason} />
        </span>
      )}
      {canSwitchOn ? (
        <Button className="ml-auto h-6 px-2 text-xs" onPress={() => onSwitchOn(dataset)}>
          Switch on
        </Button>
      ) : null}
      {collectionStatus === 'setup_required' && onSwitchOn !== undefined ? (
        <Link
          to="/p/$projectId/datasets/$datasetId"
          params={{ projectId, datasetId: dataset.id }}
          search={{ tab: 'collection' }}
          className={buttonClass('plain', 'ml-auto h-6 px-2 text-xs')}
        >
          Choose a model
        </Link>
      ) : null}
    </span>
  );
}
