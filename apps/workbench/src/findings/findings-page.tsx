import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useCallback, useMemo, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { useReadOn } from '../ui/use-read-on.ts';
import { findingCountQuery, findingListQuery, findingsAhead, findingsKey, meQuery } from '../api/queries.ts';
import { may } from '../api/rights.ts';
import { useNames } from '../api/use-names.ts';
import { useNewRows, type NewRows } from '../ui/use-new-rows.ts';
import { useCommands } from '../commands/use-commands.ts';
import { count, countAtLeast } from '../text/format.ts';
import { visibleText } from '../text/visible-text.ts';
import { TriageBar } from '../triage/triage-bar.tsx';
import { changed, type FindingChange } from '../triage/changes.ts';
import { useTriage } from '../triage/use-triage.tsx';
import { Button, CommandButton } from '../ui/button.tsx';
import { Grid } from '../ui/grid.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { useListPlace } from '../ui/list-place.ts';
import { PeekButton } from '../ui/peek-panel.tsx';
import { useMedia } from '../ui/use-media.ts';
import { usePeek } from '../ui/use-peek.ts';
import { cursorWithout } from '../ui/selection.ts';
import { Loaded, withData } from '../ui/states.tsx';
import { FindingPeek } from './finding-peek.tsx';
import { ViewsMenu } from '../views/views-menu.tsx';
import { findingColumns } from './finding-columns.tsx';
import { FindingFilters, FindingTabs } from './finding-filters.tsx';
import {
  belongsTo,
  findingFilters,
  findingListOf,
  parseFindingsPageSearch,
  parseFindingsSearch,
  type FindingsSearch,
} from './findings-search.ts';
import { NoFindings } from './no-findings.tsx';

const route = getRouteApi('/p/$projectId/findings');

/** Screen 2: the list of Findings. */
export function FindingsPage(): ReactNode {
  const { projectId } = route.useParams();
  // The router also gives parameters that no page knows.
  const { peek: peekId, ...search } = parseFindingsPageSearch(route.useSearch());
  const navigate = useNavigate();
  const onSearch = (next: FindingsSearch) =>
    void navigate({ to: '/p/$projectId/findings', params: { projectId }, search: { ...next, peek: peekId } });
  const onPeek = useCallback(
    (peek: string | undefined) => void navigate({ to: '.', search: (before) => ({ ...before, peek }), replace: true }),
    [navigate],
  );
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <FindingsHead {...{ projectId, search, onSearch }} />
      <FindingTabs {...{ projectId, search, onSearch }} />
      <FindingFilters {...{ projectId, search, onSearch }} />
      <FindingList key={JSON.stringify(search)} {...{ projectId, search, onSearch, peekId, onPeek }} />
    </div>
  );
}

interface HeadProps {
  readonly projectId: string;
  readonly search: FindingsSearch;
  readonly onSearch: (search: FindingsSearch) => void;
}

function FindingsHead({ projectId, search, onSearch }: HeadProps): ReactNode {
  const client = useQueryClient();
  return (
    <PageHead title="Findings">
      <ViewsMenu list="findings" {...{ projectId, search }} onSearch={(next) => onSearch(parseFindingsSearch(next))} />
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

interface ListProps extends HeadProps {
  /** Finding beside the list. */
  readonly peekId: string | undefined;
  readonly onPeek: (id: string | undefined) => void;
}

function FindingList(props: ListProps): ReactNode {
  const { projectId, search } = props;
  const client = useQueryClient();
  const query = findingListOf(search);
  const list = useInfiniteQuery(findingListQuery(projectId, query));
  const { view = 'review', sort = 'lastDetectedAt' } = search;
  const all = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const rows = useMemo(
    () => list.data?.pages.flatMap(({ data }) => data).filter((finding) => belongsTo(view, finding)),
    [list.data, view],
  );
  const { hasNextPage } = list;
  const onNearEnd = useReadOn(list);
  const newRows = useNewRows({
    key: [...findingsKey(projectId), 'new', query],
    mark: all[0]?.id,
    knownIds: all.map(({ id }) => id),
    isEmpty: rows?.length === 0,
    readAtMs: list.dataUpdatedAt,
    look: async (signal) => findingsAhead(projectId, query, all[0], signal),
    readAgain: async () => client.fetchInfiniteQuery({ ...findingListQuery(projectId, query), pages: 1, staleTime: 0 }),
    word: sort === 'lastDetectedAt' ? 'new or seen again' : 'new',
  });
  return (
    <Loaded query={withData(list, rows)} label="Findings are being read" lines={12}>
      {(findings) =>
        findings.length === 0 && !hasNextPage ? (
          <NoFindings {...props} />
        ) : (
          <FindingRows {...props} {...{ findings, onNearEnd, newRows }} isMoreComing={hasNextPage} />
        )
      }
    </Loaded>
  );
}

interface RowsProps extends ListProps {
  readonly findings: readonly Api.Finding[];
  readonly isMoreComing: boolean;
  readonly onNearEnd: () => void;
  readonly newRows: NewRows | undefined;
}

function FindingRows(props: RowsProps): ReactNode {
  const { projectId, search, findings, isMoreComing, onNearEnd, newRows, peekId, onPeek } = props;
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const total = useQuery(findingCountQuery(projectId, { ...findingFilters(search), by: 'severity' })).data;
  const ids = findings.map(({ id }) => id);
  const place = useListPlace(`findings ${projectId} ${JSON.stringify(search)}`, ids);
  const [state, setState] = [place.state, place.setState];
  const triage = useTriage(projectId);
  const { view = 'review' } = search;
  const chosen = findings.filter(({ id }) => (state.selected.size > 0 ? state.selected.has(id) : id === state.cursor));
  const change = (targets: readonly Api.Finding[], next: FindingChange) => {
    const gone = targets.filter((finding) => !belongsTo(view, changed(finding, next, Date.now())));
    setState({ ...state, cursor: cursorWithout(ids, state.cursor, new Set(gone.map(({ id }) => id))) });
    triage.change(targets, next);
  };
  const unselect = () => setState({ ...state, selected: new Set() });
  const peek = usePeek({ peekId, state, setState, ids, onPeek });
  useCommands({ 'page.up': peekId !== undefined ? peek.close : state.selected.size > 0 ? unselect : undefined });
  const isPeeking = peek.shownId !== undefined;
  const columns = useColumns(projectId, isPeeking);
  const mayWrite = me !== undefined && may(me, projectId, 'project:diagnostics:write');
  const totalText = total === undefined ? '' : countAtLeast(total.total, total.atLeast);
  return (
    <>
      <div className="flex min-h-9 items-center gap-3 border-y border-line bg-surface px-4 py-1 text-xs text-muted max-md:flex-wrap">
        <span aria-live="polite" className="tabular-nums">
          {state.selected.size > 0 ? `${count(state.selected.size)} selected` : `${totalText} Findings`}
        </span>
        {mayWrite ? (
          <TriageBar
            {...{ projectId, findings: chosen, triage: { ...triage, change } }}
            onMerged={(gone, targetId) =>
              setState({
                cursor: ids.includes(targetId) ? targetId : cursorWithout(ids, state.cursor, new Set(gone)),
                selected: new Set(),
              })
            }
          />
        ) : (
          <ReadOnly />
        )}
        {state.selected.size > 0 ? (
          <Button look="quiet" onPress={unselect}>
            Clear the selection
          </Button>
        ) : null}
        <PeekButton peek={peek} />
      </div>
      <div className="flex min-h-0 flex-1 max-lg:flex-col">
        <Grid
          label="Findings"
          rows={findings}
          columns={columns}
          idOf={({ id }) => id}
          nameOf={({ title }) => visibleText(title)}
          state={state}
          onState={setState}
          total={total?.atLeast === false ? total.total : undefined}
          {...{ isMoreComing, onNearEnd, newRows }}
          isSelectable={mayWrite}
          initialOffset={place.offset}
          onOffset={place.setOffset}
          onOpen={({ id }) =>
            void navigate({ to: '/p/$projectId/findings/$findingId', params: { projectId, findingId: id } })
          }
        />
        {peek.shownId === undefined ? null : (
          <FindingPeek
            projectId={projectId}
            findingId={peek.shownId}
            row={findings.find(({ id }) => id === peek.shownId)}
            onClose={peek.close}
          />
        )}
      </div>
    </>
  );
}

function useColumns(projectId: string, isPeeking: boolean) {
  const nameOf = useNames(projectId);
  const isWide = useMedia('(min-width: 96rem)');
  const room = isPeeking ? 'little' : isWide ? 'wide' : 'usual';
  return useMemo(() => findingColumns(projectId, nameOf, room), [projectId, nameOf, room]);
}

function ReadOnly(): ReactNode {
  return <span>You may read Findings. Changing them begins with the role editor, which an admin can give.</span>;
}
