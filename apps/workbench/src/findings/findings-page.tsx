import { useInfiniteQuery, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useCallback, useMemo, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { findingCountQuery, findingListQuery, findingsKey, meQuery } from '../api/queries.ts';
import { may } from '../api/rights.ts';
import { useNames } from '../api/use-names.ts';
import { useCommands } from '../commands/use-commands.ts';
import { count, countAtLeast } from '../text/format.ts';
import { TriageBar } from '../triage/triage-bar.tsx';
import { changed, type FindingChange } from '../triage/changes.ts';
import { useTriage } from '../triage/use-triage.tsx';
import { Button, CommandButton } from '../ui/button.tsx';
import { Grid } from '../ui/grid.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { useListPlace } from '../ui/list-place.ts';
import { cursorWithout } from '../ui/selection.ts';
import { FilteredEmpty, FirstUse, Loaded } from '../ui/states.tsx';
import { findingColumns } from './finding-columns.tsx';
import { FACET_TITLES, FindingFilters, FindingTabs } from './finding-filters.tsx';
import {
  activeFilters,
  belongsTo,
  findingFilters,
  findingListOf,
  parseFindingsSearch,
  withoutFilter,
  withoutFilters,
  type FindingsSearch,
} from './findings-search.ts';

const route = getRouteApi('/p/$projectId/findings');

/** Screen 2: the list of Findings. */
export function FindingsPage(): ReactNode {
  const { projectId } = route.useParams();
  // The router also gives parameters that no page knows.
  const search = parseFindingsSearch(route.useSearch());
  const navigate = useNavigate();
  const onSearch = (next: FindingsSearch) =>
    void navigate({ to: '/p/$projectId/findings', params: { projectId }, search: next });
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <FindingsHead projectId={projectId} />
      <FindingTabs {...{ projectId, search, onSearch }} />
      <FindingFilters {...{ projectId, search, onSearch }} />
      <FindingList key={JSON.stringify(search)} {...{ projectId, search, onSearch }} />
    </div>
  );
}

function FindingsHead({ projectId }: { readonly projectId: string }): ReactNode {
  const client = useQueryClient();
  return (
    <PageHead title="Findings">
      <CommandButton
        command="list.refresh"
        look="quiet"
        aria-label="Read again"
        onPress={() => void client.resetQueries({ queryKey: findingsKey(projectId) })}
      >
        <RotateCw aria-hidden className="size-3.5" />
      </CommandButton>
    </PageHead>
  );
}

interface ListProps {
  readonly projectId: string;
  readonly search: FindingsSearch;
  readonly onSearch: (search: FindingsSearch) => void;
}

function FindingList(props: ListProps): ReactNode {
  const { projectId, search } = props;
  const list = useInfiniteQuery(findingListQuery(projectId, findingListOf(search)));
  const { view = 'review' } = search;
  const rows = useMemo(
    () => list.data?.pages.flatMap(({ data }) => data).filter((finding) => belongsTo(view, finding)),
    [list.data, view],
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <Loaded query={{ ...list, data: rows }} label="Findings are being read" lines={12}>
      {(findings) =>
        findings.length === 0 && !hasNextPage ? (
          <NoFindings {...props} />
        ) : (
          <FindingRows {...props} findings={findings} isMoreComing={hasNextPage} onNearEnd={onNearEnd} />
        )
      }
    </Loaded>
  );
}

interface RowsProps extends ListProps {
  readonly findings: readonly Api.Finding[];
  readonly isMoreComing: boolean;
  readonly onNearEnd: () => void;
}

function FindingRows({ projectId, search, findings, isMoreComing, onNearEnd }: RowsProps): ReactNode {
  const navigate = useNavigate();
  const nameOf = useNames(projectId);
  const { data: me } = useQuery(meQuery);
  const total = useQuery(findingCountQuery(projectId, { ...findingFilters(search), by: 'severity' })).data;
  const place = useListPlace(
    `findings ${projectId} ${JSON.stringify(search)}`,
    findings.map(({ id }) => id),
  );
  const [state, setState] = [place.state, place.setState];
  const triage = useTriage(projectId);
  const { view = 'review' } = search;
  const chosen = findings.filter(({ id }) => (state.selected.size > 0 ? state.selected.has(id) : id === state.cursor));
  const change = (targets: readonly Api.Finding[], next: FindingChange) => {
    const gone = targets.filter((finding) => !belongsTo(view, changed(finding, next, Date.now())));
    const ids = findings.map(({ id }) => id);
    setState({ ...state, cursor: cursorWithout(ids, state.cursor, new Set(gone.map(({ id }) => id))) });
    triage.change(targets, next);
  };
  useCommands({ 'page.up': state.selected.size > 0 ? () => setState({ ...state, selected: new Set() }) : undefined });
  const columns = useMemo(() => findingColumns(projectId, nameOf), [projectId, nameOf]);
  const mayWrite = me !== undefined && may(me, projectId, 'project:diagnostics:write');
  const totalText = total === undefined ? '' : countAtLeast(total.total, total.atLeast);
  return (
    <>
      <div className="flex min-h-9 items-center gap-3 border-y border-line bg-surface px-4 py-1 text-xs text-muted">
        <span aria-live="polite" className="tabular-nums">
          {state.selected.size > 0 ? `${count(state.selected.size)} selected` : `${totalText} Findings`}
        </span>
        {mayWrite ? <TriageBar {...{ projectId, findings: chosen, triage: { ...triage, change } }} /> : <ReadOnly />}
        {state.selected.size > 0 ? (
          <Button look="quiet" onPress={() => setState({ ...state, selected: new Set() })}>
            Clear the selection
          </Button>
        ) : null}
      </div>
      <Grid
        label="Findings"
        rows={findings}
        columns={columns}
        idOf={({ id }) => id}
        state={state}
        onState={setState}
        total={total?.atLeast === false ? total.total : undefined}
        isMoreComing={isMoreComing}
        onNearEnd={onNearEnd}
        isSelectable={mayWrite}
        initialOffset={place.offset}
        onOffset={place.setOffset}
        onOpen={({ id }) =>
          void navigate({ to: '/p/$projectId/findings/$findingId', params: { projectId, findingId: id } })
        }
      />
    </>
  );
}

function ReadOnly(): ReactNode {
  return <span>You may read Findings. Changing them begins with the role editor, which an admin can give.</span>;
}

function NoFindings({ projectId, search, onSearch }: ListProps): ReactNode {
  const filters = activeFilters(search);
  const without = useQueries({
    queries: filters.map((name) =>
      findingCountQuery(projectId, { ...findingFilters(withoutFilter(search, name)), by: 'severity' }),
    ),
  });
  if (filters.length === 0) return <NothingInView search={search} onSearch={onSearch} />;
  const totals = filters.map((name, at) => ({ name, found: without[at]?.data }));
  const strictest = totals.reduce((most, each) => ((each.found?.total ?? 0) > (most.found?.total ?? 0) ? each : most));
  const { name, found } = strictest;
  return (
    <FilteredEmpty
      noun="Findings"
      strictest={
        found === undefined || found.total === 0
          ? undefined
          : { label: FACET_TITLES[name], wouldShow: countAtLeast(found.total, found.atLeast) }
      }
      onClear={() => onSearch(withoutFilter(search, name))}
      onClearAll={() => onSearch(withoutFilters(search))}
    />
  );
}

function NothingInView({ search, onSearch }: Pick<ListProps, 'search' | 'onSearch'>): ReactNode {
  const { view = 'review' } = search;
  if (view === 'all') {
    return (
      <FirstUse title="No Findings yet">
        Findings appear here by themselves, some minutes after conversations have ended in which something went wrong:
        one for each problem, with all conversations that show it.
      </FirstUse>
    );
  }
  const title = view === 'review' ? 'All reviewed' : 'Nothing here';
  return (
    <FirstUse title={title} action={<Button onPress={() => onSearch({ view: 'all' })}>Show all Findings</Button>}>
      {view === 'review' ? 'No Finding waits for a review. New ones appear here.' : 'No Finding is in this state.'}
    </FirstUse>
  );
}
