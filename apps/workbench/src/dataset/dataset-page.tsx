import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { meQuery } from '../api/queries.ts';
import { may } from '../api/rights.ts';
import { useCommands } from '../commands/use-commands.ts';
import { OBJECTIVES } from '../collection/words.ts';
import { CollectionBadge } from '../datasets/dataset-columns.tsx';
import { datasetQuery } from '../examples/queries.ts';
import { count, counted } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Time } from '../text/time.tsx';
import { buttonClass } from '../ui/button.tsx';
import { besideInList } from '../ui/list-place.ts';
import { notify } from '../ui/notices.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Loaded, Skeleton } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { UpLink } from '../ui/up-link.tsx';
import { DatasetMenu } from './dataset-menu.tsx';
import { parseDatasetSearch, type DatasetSearch, type DatasetTab } from './dataset-search.ts';
import { ExamplesTab } from './examples-tab.tsx';
import type { TabProps } from './tab-props.ts';

const route = getRouteApi('/p/$projectId/datasets/$datasetId');

const VersionsTab = lazy(() => import('./versions-tab.tsx'));
const CollectionTab = lazy(() => import('./collection-tab.tsx'));
const ImportTab = lazy(() => import('./import-tab.tsx'));
const ExportTab = lazy(() => import('./export-tab.tsx'));

const LABELS: Readonly<Record<DatasetTab, string>> = {
  examples: 'Examples',
  versions: 'Versions',
  collection: 'Collection',
  import: 'Import',
  export: 'Export',
};

/** Screen 10: one Dataset. */
export function DatasetPage(): ReactNode {
  const { projectId, datasetId } = route.useParams();
  const query = useQuery(datasetQuery(projectId, datasetId));
  return (
    <Loaded query={query} title="Dataset" label="The Dataset is being read" lines={10}>
      {(data) => <DatasetView key={datasetId} projectId={projectId} {...data} />}
    </Loaded>
  );
}

function DatasetView(props: Pick<TabProps, 'projectId' | 'dataset' | 'etag'>): ReactNode {
  const { projectId, dataset } = props;
  // The router also gives parameters that no page knows.
  const search = parseDatasetSearch(route.useSearch());
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const mayWrite = me !== undefined && may(me, projectId, 'project:data:write');
  const onSearch = (next: DatasetSearch) =>
    void navigate({
      to: '/p/$projectId/datasets/$datasetId',
      params: { projectId, datasetId: dataset.id },
      search: next,
    });
  useDatasetCommands(projectId, dataset.id);
  const { tab = 'examples' } = search;
  const shown: DatasetTab[] = mayWrite
    ? ['examples', 'versions', 'collection', 'import', 'export']
    : ['examples', 'versions', 'collection', 'export'];
  const tabProps: TabProps = { ...props, search, onSearch, mayWrite };
  return (
    <>
      <PageHead
        title={dataset.name}
        trail={<UpLink to="/p/$projectId/datasets" params={{ projectId }} label="To the list of Datasets" />}
      >
        {mayWrite ? (
          <>
            <Link
              to="/p/$projectId/datasets/$datasetId/examples/$exampleId"
              params={{ projectId, datasetId: dataset.id, exampleId: 'new' }}
              className={buttonClass()}
            >
              New Example
            </Link>
            <DatasetMenu {...tabProps} />
          </>
        ) : null}
      </PageHead>
      <Facts dataset={dataset} />
      <Tabs
        label="Parts"
        tabs={shown.map((id) => ({ id, label: LABELS[id] }))}
        chosen={tab}
        onChoose={(id) => onSearch(id === 'examples' ? {} : { tab: id })}
      />
      {tab === 'examples' ? (
        <ExamplesTab {...tabProps} />
      ) : (
        <Suspense fallback={<Skeleton label="The page is being read" />}>
          <div tabIndex={-1} className="relative flex min-h-0 flex-1 flex-col overflow-auto outline-none">
            {tab === 'versions' ? <VersionsTab {...tabProps} /> : null}
            {tab === 'collection' ? <CollectionTab {...tabProps} /> : null}
            {tab === 'import' ? <ImportTab {...tabProps} /> : null}
            {tab === 'export' ? <ExportTab {...tabProps} /> : null}
          </div>
        </Suspense>
      )}
    </>
  );
}

function Facts({ dataset }: { readonly dataset: Api.Dataset }): ReactNode {
  const { exampleCount, version, updatedAt, collectionPolicy, collectionStatus, description } = dataset;
  return (
    <div className="px-4 pb-1 text-xs text-muted">
      <p className="flex flex-wrap items-center gap-x-1.5 tabular-nums">
        {counted(exampleCount, 'Example')} · version {count(version)} · changed <Time atMs={updatedAt} />
        {collectionPolicy === null ? null : (
          <>
            {' '}
            · {OBJECTIVES[collectionPolicy.objective].title} <CollectionBadge status={collectionStatus} />
          </>
        )}
      </p>
      {description === null ? null : (
        <p className="truncate">
          <HostileText text={description} />
        </p>
      )}
    </div>
  );
}

function useDatasetCommands(projectId: string, id: string): void {
  const navigate = useNavigate();
  const beside = (by: 1 | -1) => () => {
    const datasetId = besideInList(id, by);
    if (datasetId === undefined)
      notify(by === 1 ? 'This is the last one of the list' : 'This is the first one of the list');
    else void navigate({ to: '/p/$projectId/datasets/$datasetId', params: { projectId, datasetId } });
  };
  useCommands({
    'page.up': () => void navigate({ to: '/p/$projectId/datasets', params: { projectId } }),
    'item.next': beside(1),
    'item.previous': beside(-1),
    'id.copy': () => {
      navigator.clipboard.writeText(id).then(
        () => notify('The id is copied'),
        () => notify(id),
      );
    },
  });
}
