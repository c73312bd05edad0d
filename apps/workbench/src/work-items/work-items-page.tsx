import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { useReadOn } from '../ui/use-read-on.ts';
import { clew } from '../api/client.ts';
import { HEAD_ROWS, headAhead } from '../api/new-rows.ts';
import { cachedPage, meQuery, paged } from '../api/queries.ts';
import { may } from '../api/rights.ts';
import { useNewRows, type NewRows } from '../ui/use-new-rows.ts';
import { counted } from '../text/format.ts';
import { Button, buttonClass, CommandButton } from '../ui/button.tsx';
import { Grid } from '../ui/grid.tsx';
import { InlineSelect } from '../ui/inline-select.tsx';
import { useListPlace } from '../ui/list-place.ts';
import { PageHead } from '../ui/page-head.tsx';
import { FilteredEmpty, FirstUse, Loaded, withData } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { workItemColumns } from './work-item-columns.tsx';
import {
  belongsTo,
  errorsFirst,
  parseWorkItemsSearch,
  PROVIDERS,
  workItemFilters,
  WORK_ITEM_VIEWS,
  type WorkItemsSearch,
} from './work-items-search.ts';
import { TRACKERS } from './trackers.ts';

const route = getRouteApi('/p/$projectId/work-items');

const LABELS = { errors: 'Did not work', open: 'Open', done: 'Done', all: 'All' } as const;

const workItemsQuery = (projectId: string, search: WorkItemsSearch) =>
  infiniteQueryOptions({
    queryKey: ['work-items', projectId, 'list', search],
    queryFn: ({ pageParam, signal }) =>
      cachedPage(
        clew.workItems.list({ ...workItemFilters(search), limit: 100, cursor: pageParam, project: projectId, signal }),
      ),
    ...paged,
    placeholderData: keepPreviousData,
    // Rows never move by themselves under the cursor.
    staleTime: Infinity,
  });

/** Screen 14: everything that was handed over to issue trackers. */
export function WorkItemsPage(): ReactNode {
  const { projectId } = route.useParams();
  // The router also gives parameters that no page knows.
  const search = parseWorkItemsSearch(route.useSearch());
  const navigate = useNavigate();
  const client = useQueryClient();
  const onSearch = (next: WorkItemsSearch) =>
    void navigate({ to: '/p/$projectId/work-items', params: { projectId }, search: next });
  const { view = 'all', provider } = search;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead title="Work items">
        <InlineSelect
          label="Issue tracker"
          value={provider ?? ''}
          onChange={(id) => onSearch(parseWorkItemsSearch({ view: search.view, provider: id }))}
          options={[{ id: '', label: 'All trackers' }, ...PROVIDERS.map((id) => ({ id, label: TRACKERS[id] }))]}
        />
        <Link
          to="/p/$projectId/settings/$part"
          params={{ projectId, part: 'connectors' }}
          className={buttonClass('quiet')}
        >
          Connectors
        </Link>
        <CommandButton
          command="list.refresh"
          look="quiet"
          aria-label="Read again"
          onPress={() => void client.resetQueries({ queryKey: ['work-items', projectId] })}
        >
          <RotateCw aria-hidden className="size-3.5" />
        </CommandButton>
      </PageHead>
      <Tabs
        label="Views"
        tabs={WORK_ITEM_VIEWS.map((id) => ({ id, label: LABELS[id] }))}
        chosen={view}
        onChoose={(next) => onSearch({ ...search, view: next })}
      />
      <WorkItemList key={JSON.stringify(search)} {...{ projectId, search, onSearch }} />
    </div>
  );
}

interface ListProps {
  readonly projectId: string;
  readonly search: WorkItemsSearch;
  readonly onSearch: (search: WorkItemsSearch) => void;
}

function WorkItemList({ projectId, search, onSearch }: ListProps): ReactNode {
  const { view = 'all' } = search;
  const client = useQueryClient();
  const list = useInfiniteQuery(workItemsQuery(projectId, search));
  const rows = useMemo(() => {
    const all = list.data?.pages.flatMap(({ data }) => data);
    return all === undefined ? undefined : errorsFirst(all.filter((item) => belongsTo(view, item)));
  }, [list.data, view]);
  const { hasNextPage } = list;
  const onNearEnd = useReadOn(list);
  const known = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const newRows = useNewRows({
    key: ['work-items', projectId, 'new', search],
    mark: known[0]?.id,
    knownIds: known.map(({ id }) => id),
    isEmpty: rows?.length === 0,
    readAtMs: list.dataUpdatedAt,
    look: async (signal) => {
      const query = { ...workItemFilters(search), limit: HEAD_ROWS, project: projectId, signal };
      const { data } = await clew.workItems.list(query);
      return headAhead(data.filter((item) => belongsTo(view, item)).map(({ id }) => id));
    },
    readAgain: async () => client.fetchInfiniteQuery({ ...workItemsQuery(projectId, search), pages: 1, staleTime: 0 }),
  });
  return (
    <Loaded query={withData(list, rows)} label="Work items are being read" lines={10}>
      {(items) =>
        items.length === 0 && !hasNextPage ? (
          <NoWorkItems {...{ projectId, search, onSearch }} />
        ) : (
          <WorkItemRows {...{ projectId, search, items, onNearEnd, newRows }} isMoreComing={hasNextPage} />
        )
      }
    </Loaded>
  );
}

interface RowsProps extends Omit<ListProps, 'onSearch'> {
  readonly items: readonly Api.WorkItem[];
  readonly isMoreComing: boolean;
  readonly onNearEnd: () => void;
  readonly newRows: NewRows | undefined;
}

function WorkItemRows({ projectId, search, items, isMoreComing, onNearEnd, newRows }: RowsProps): ReactNode {
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const mayWrite = me !== undefined && may(me, projectId, 'project:diagnostics:write');
  const place = useListPlace(
    `work-items ${projectId} ${JSON.stringify(search)}`,
    items.map(({ id }) => id),
  );
  const columns = useMemo(() => workItemColumns(projectId, mayWrite), [projectId, mayWrite]);
  const broken = items.filter(({ syncState }) => syncState === 'error').length;
  return (
    <>
      <p aria-live="polite" className="border-y border-line bg-surface px-4 py-1.5 text-xs text-muted tabular-nums">
        {counted(items.length, 'work item')}
        {isMoreComing ? ' and more' : ''}
        {broken === 0 ? '' : `, ${broken} not in step`}
      </p>
      <Grid
        label="Work items"
        rows={items}
        columns={columns}
        idOf={({ id }) => id}
        state={place.state}
        onState={place.setState}
        total={isMoreComing ? undefined : items.length}
        {...{ isMoreComing, newRows }}
        onNearEnd={onNearEnd}
        rowHeight={56}
        initialOffset={place.offset}
        onOffset={place.setOffset}
        onOpen={({ findingId }) =>
          void navigate({ to: '/p/$projectId/findings/$findingId', params: { projectId, findingId } })
        }
      />
    </>
  );
}

function NoWorkItems({ projectId, search, onSearch }: ListProps): ReactNode {
  const { view = 'all', provider } = search;
  if (provider !== undefined) {
    return <FilteredEmpty noun="work items" onClearAll={() => onSearch({ view })} />;
  }
  if (view !== 'all') {
    return (
      <FirstUse
        title={view === 'errors' ? 'All are in step' : 'Nothing here'}
        action={<Button onPress={() => onSearch({})}>Show all work items</Button>}
      >
        {view === 'errors' ? 'No issue tracker refused anything.' : 'No work item is in this state.'}
      </FirstUse>
    );
  }
  return (
    <FirstUse
      title="Nothing was handed over yet"
      action={
        <Link
          to="/p/$projectId/findings"
          params={{ projectId }}
          search={{ view: 'confirmed' }}
          className={buttonClass('main')}
        >
          Show confirmed Findings
        </Link>
      }
    >
      A Finding is handed over to an issue tracker from its own page. Its issue is then followed here until the problem
      has gone.
    </FirstUse>
  );
}
