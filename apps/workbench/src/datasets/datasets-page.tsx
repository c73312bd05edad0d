import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { useReadOn } from '../ui/use-read-on.ts';
import { clew } from '../api/client.ts';
import { meQuery } from '../api/queries.ts';
import { may } from '../api/rights.ts';
import { useChange } from '../ui/use-change.ts';
import { datasetListQuery, datasetsKey } from '../examples/queries.ts';
import { counted } from '../text/format.ts';
import { Button, CommandButton } from '../ui/button.tsx';
import { FacetMenu } from '../ui/facet-menu.tsx';
import { Grid } from '../ui/grid.tsx';
import { useListPlace } from '../ui/list-place.ts';
import { notify } from '../ui/notices.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { FilteredEmpty, FirstUse, Loaded, withData } from '../ui/states.tsx';
import { COLLECTION_LABELS, datasetColumns } from './dataset-columns.tsx';
import { COLLECTION_STATUSES, datasetListOf, parseDatasetsSearch, type DatasetsSearch } from './datasets-search.ts';
import { NewDatasetDialog } from './new-dataset-dialog.tsx';

const route = getRouteApi('/p/$projectId/datasets');

/** Screen 9: the list of Datasets. */
export function DatasetsPage(): ReactNode {
  const { projectId } = route.useParams();
  // The router also gives parameters that no page knows.
  const search = parseDatasetsSearch(route.useSearch());
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const [isMaking, setMaking] = useState(false);
  const mayWrite = me !== undefined && may(me, projectId, 'project:data:write');
  const onSearch = (next: DatasetsSearch) =>
    void navigate({ to: '/p/$projectId/datasets', params: { projectId }, search: next });
  const onMake = mayWrite ? () => setMaking(true) : undefined;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead title="Datasets">
        <CommandButton
          command="list.refresh"
          look="quiet"
          aria-label="Read again"
          onPress={() => void client.resetQueries({ queryKey: datasetsKey(projectId) })}
        >
          <RotateCw aria-hidden className="size-3.5" />
        </CommandButton>
        {onMake === undefined ? null : (
          <Button look="main" onPress={onMake}>
            New Dataset
          </Button>
        )}
      </PageHead>
      <div className="flex flex-wrap items-center gap-1.5 px-4 py-2">
        <SearchBox
          label="Filter by name"
          value={search.q ?? ''}
          onChange={(q) => onSearch(parseDatasetsSearch({ ...search, q }))}
        />
        <FacetMenu
          title="Collection"
          values={COLLECTION_STATUSES.map((value) => ({ value, label: COLLECTION_LABELS[value] }))}
          chosen={search.status === undefined ? [] : [search.status]}
          onChoose={(status) =>
            onSearch(parseDatasetsSearch({ ...search, status: status === search.status ? undefined : status }))
          }
          onClear={() => onSearch(parseDatasetsSearch({ ...search, status: undefined }))}
        />
      </div>
      <DatasetList key={JSON.stringify(search)} {...{ projectId, search, onSearch, mayWrite, onMake }} />
      {isMaking ? <NewDatasetDialog projectId={projectId} onClose={() => setMaking(false)} /> : null}
    </div>
  );
}

interface ListProps {
  readonly projectId: string;
  readonly search: DatasetsSearch;
  readonly onSearch: (search: DatasetsSearch) => void;
  readonly mayWrite: boolean;
  readonly onMake: (() => void) | undefined;
}

function DatasetList(props: ListProps): ReactNode {
  const list = useInfiniteQuery(datasetListQuery(props.projectId, datasetListOf(props.search)));
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data]);
  const { hasNextPage } = list;
  const onNearEnd = useReadOn(list);
  return (
    <Loaded query={withData(list, rows)} label="Datasets are being read" lines={8}>
      {(datasets) =>
        datasets.length === 0 && !hasNextPage ? (
          <NoDatasets {...props} />
        ) : (
          <DatasetRows {...props} {...{ datasets, onNearEnd }} isMoreComing={hasNextPage} />
        )
      }
    </Loaded>
  );
}

interface RowsProps extends ListProps {
  readonly datasets: readonly Api.Dataset[];
  readonly isMoreComing: boolean;
  readonly onNearEnd: () => void;
}

function DatasetRows({ projectId, search, datasets, isMoreComing, onNearEnd, mayWrite }: RowsProps): ReactNode {
  const navigate = useNavigate();
  const place = useListPlace(
    `datasets ${projectId} ${JSON.stringify(search)}`,
    datasets.map(({ id }) => id),
  );
  const switchOn = useChange(
    ({ id }: Api.Dataset) => clew.datasets.update(id, { collectionEnabled: true }, { project: projectId }),
    {
      invalidates: [datasetsKey(projectId)],
      onDone: ({ collectionStatus }) =>
        notify(collectionStatus === 'ready' ? 'It collects from now on' : 'It is on, and waits for its model'),
    },
  );
  const { mutate } = switchOn;
  const columns = useMemo(
    () => datasetColumns({ projectId, onSwitchOn: mayWrite ? (dataset) => mutate(dataset) : undefined }),
    [projectId, mayWrite, mutate],
  );
  return (
    <>
      <p aria-live="polite" className="border-y border-line bg-surface px-4 py-1.5 text-xs text-muted tabular-nums">
        {isMoreComing ? `${datasets.length} Datasets, and more` : counted(datasets.length, 'Dataset')}
      </p>
      <Grid
        label="Datasets"
        rows={datasets}
        columns={columns}
        idOf={({ id }) => id}
        state={place.state}
        onState={place.setState}
        total={isMoreComing ? undefined : datasets.length}
        isMoreComing={isMoreComing}
        onNearEnd={onNearEnd}
        initialOffset={place.offset}
        onOffset={place.setOffset}
        onOpen={({ id }) =>
          void navigate({ to: '/p/$projectId/datasets/$datasetId', params: { projectId, datasetId: id } })
        }
      />
    </>
  );
}

function NoDatasets({ search, onSearch, onMake }: ListProps): ReactNode {
  if (search.q !== undefined || search.status !== undefined) {
    return <FilteredEmpty noun="Datasets" onClearAll={() => onSearch({})} />;
  }
  return (
    <FirstUse
      title="No Datasets yet"
      action={
        onMake === undefined ? undefined : (
          <Button look="main" onPress={onMake}>
            New Dataset
          </Button>
        )
      }
    >
      A Dataset holds Examples for training and evaluation: an input, the answer that is expected, and the one that is
      not wanted. Examples come by hand, from a file, or by themselves from conversations. Each change makes a version
      that stays.
    </FirstUse>
  );
}
