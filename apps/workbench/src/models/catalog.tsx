import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { useReadOn } from '../ui/use-read-on.ts';
import { clew } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import { count, sentence } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Badge } from '../ui/badges.tsx';
import { Button } from '../ui/button.tsx';
import { FacetMenu } from '../ui/facet-menu.tsx';
import { Grid, type GridColumn } from '../ui/grid.tsx';
import { useListPlace } from '../ui/list-place.ts';
import { notify } from '../ui/notices.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { FilteredEmpty, FirstUse, Loaded, withData } from '../ui/states.tsx';
import { catalogOf, CATEGORIES, isFiltered, parseModelsSearch, type ModelsSearch } from './models-search.ts';
import { bytes } from '../runtime/preparation.ts';
import { catalogQuery } from './queries.ts';
import { modelsKey, runtimeQuery } from '../runtime/queries.ts';

interface CatalogProps {
  readonly projectId: string;
  readonly search: ModelsSearch;
  readonly onSearch: (search: ModelsSearch) => void;
  readonly mayManage: boolean;
}

/** Models that could run here. */
export function Catalog(props: CatalogProps): ReactNode {
  const { projectId, search, onSearch, mayManage } = props;
  const set = (change: Partial<ModelsSearch>) => onSearch(parseModelsSearch({ ...search, ...change }));
  const refresh = useChange(() => clew.models.refreshCatalog({}, { project: projectId }), {
    invalidates: [[...modelsKey(projectId), 'catalog']],
    onDone: () => notify('The catalog is being read from the hub'),
  });
  return (
    <>
      <div className="flex flex-wrap items-center gap-1.5 border-b border-line px-4 py-2">
        <SearchBox
          label="Filter by name or tag"
          value={search.search ?? ''}
          onChange={(text) => set({ search: text })}
        />
        <FacetMenu
          title="Kind"
          values={CATEGORIES.map((value) => ({ value, label: sentence(value) }))}
          chosen={search.category === undefined ? [] : [search.category]}
          onChoose={(value) =>
            set({ category: value === search.category ? undefined : CATEGORIES.find((each) => each === value) })
          }
          onClear={() => set({ category: undefined })}
        />
        <Button
          aria-pressed={search.installed === 'true'}
          className={search.installed === 'true' ? 'border-accent text-accent' : ''}
          onPress={() => set({ installed: search.installed === 'true' ? undefined : 'true' })}
        >
          Only installed
        </Button>
        {mayManage ? (
          <Button
            look="quiet"
            className="ml-auto"
            isDisabled={refresh.isPending}
            onPress={() => refresh.mutate(undefined)}
          >
            Look for new ones on the hub
          </Button>
        ) : null}
      </div>
      <CatalogList key={JSON.stringify(search)} {...props} />
    </>
  );
}

function CatalogList({ projectId, search, onSearch }: CatalogProps): ReactNode {
  const navigate = useNavigate();
  const list = useInfiniteQuery(catalogQuery(projectId, catalogOf(search)));
  const { data: runtime } = useQuery(runtimeQuery(projectId));
  const models = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data]);
  const columns = useMemo(() => catalogColumns(projectId, runtime), [projectId, runtime]);
  const place = useListPlace(`models ${projectId} ${JSON.stringify(search)}`, models?.map(({ id }) => id) ?? []);
  const { hasNextPage } = list;
  const onNearEnd = useReadOn(list);
  return (
    <Loaded query={withData(list, models)} label="The catalog is being read" lines={10}>
      {(all) =>
        all.length === 0 && !hasNextPage ? (
          isFiltered(search) ? (
            <FilteredEmpty noun="models" onClearAll={() => onSearch({})} />
          ) : (
            <FirstUse title="The catalog is empty">The hub has not been read yet.</FirstUse>
          )
        ) : (
          <Grid
            label="Models"
            rows={all}
            columns={columns}
            idOf={({ id }) => id}
            state={place.state}
            onState={place.setState}
            onOpen={({ id }) =>
              void navigate({ to: '/p/$projectId/models/$modelId', params: { projectId, modelId: id } })
            }
            total={hasNextPage ? undefined : all.length}
            isMoreComing={hasNextPage}
            rowHeight={50}
            initialOffset={place.offset}
            onOffset={place.setOffset}
            {...{ onNearEnd }}
          />
        )
      }
    </Loaded>
  );
}

const ORIGINS: Readonly<Record<Api.CatalogModel['origin'], string>> = {
  builtin: 'Clew’s own list',
  imported: 'Imported',
  discovered: 'On the hub',
};

function catalogColumns(projectId: string, runtime: Api.RuntimeSnapshot | undefined): GridColumn<Api.CatalogModel>[] {
  return [
    {
      id: 'name',
      header: 'Model',
      track: 'minmax(16rem, 3fr)',
      cell: ({ id, name, description }) => (
        <span className="flex flex-col">
          <Link
            to="/p/$projectId/models/$modelId"
            params={{ projectId, modelId: id }}
            tabIndex={-1}
            className="truncate font-medium hover:underline"
          >
            <HostileText text={name} />
          </Link>
          <HostileText className="truncate text-xs text-muted" text={description} />
        </span>
      ),
    },
    { id: 'state', header: 'State', track: '7rem', cell: (model) => <ModelState {...{ model, runtime }} /> },
    { id: 'kind', header: 'Kind', track: '6.5rem', cell: ({ category }) => sentence(category) },
    {
      id: 'size',
      header: 'Size',
      track: '9rem',
      className: 'text-right tabular-nums',
      cell: ({ sizeBytes }) => <Size sizeBytes={sizeBytes} freeBytes={runtime?.node.disk?.freeBytes} />,
    },
    {
      id: 'context',
      header: 'Context',
      track: '5rem',
      className: 'text-right tabular-nums',
      cell: ({ contextLength }) => (contextLength === null ? '–' : count(contextLength)),
    },
    {
      id: 'licence',
      header: 'Licence',
      track: '9rem',
      className: 'pl-2',
      cell: ({ license, gated }) => (
        <span className="flex items-center gap-1.5">
          <HostileText className="truncate" text={license ?? '–'} />
          {gated ? <Badge tone="medium">Gated</Badge> : null}
        </span>
      ),
    },
    { id: 'origin', header: 'Origin', track: '8rem', className: 'text-muted', cell: ({ origin }) => ORIGINS[origin] },
  ];
}

function ModelState({ model, runtime }: { readonly model: Api.CatalogModel; readonly runtime?: Api.RuntimeSnapshot }) {
  const service = runtime?.services.find(({ modelId, state }) => modelId === model.id && state !== 'stopped');
  const download = runtime?.downloads.find(({ modelId, state }) => modelId === model.id && state !== 'completed');
  if (service?.state === 'ready') return <Badge tone="ok">Running</Badge>;
  if (service?.state === 'failed' || download?.state === 'failed') return <Badge tone="critical">Failed</Badge>;
  if (service !== undefined) return <Badge tone="low">{sentence(service.state)}</Badge>;
  if (download?.state === 'running') {
    const share = download.bytesTotal === null ? 0 : Math.floor((100 * download.bytesDone) / download.bytesTotal);
    return <Badge tone="low">{share} %</Badge>;
  }
  return model.installed ? <Badge tone="info">Installed</Badge> : <span className="text-muted">–</span>;
}

function Size({ sizeBytes, freeBytes }: { readonly sizeBytes: number | null; readonly freeBytes?: number }): ReactNode {
  if (sizeBytes === null) return <span className="text-muted">–</span>;
  const isTooLarge = freeBytes !== undefined && sizeBytes > freeBytes;
  return isTooLarge ? (
    <span className="text-critical">{bytes(sizeBytes)}, too large</span>
  ) : (
    <span>{bytes(sizeBytes)}</span>
  );
}
