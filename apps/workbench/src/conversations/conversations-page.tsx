import { useInfiniteQuery, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { useReadOn } from '../ui/use-read-on.ts';
import { conversationCountQuery, conversationListQuery, conversationsAhead, conversationsKey } from '../api/queries.ts';
import { useNewRows, type NewRows } from '../ui/use-new-rows.ts';
import { useCommands } from '../commands/use-commands.ts';
import { countAtLeast } from '../text/format.ts';
import { CommandButton } from '../ui/button.tsx';
import { Grid } from '../ui/grid.tsx';
import { useListPlace } from '../ui/list-place.ts';
import { PeekButton } from '../ui/peek-panel.tsx';
import { usePeek } from '../ui/use-peek.ts';
import { PageHead } from '../ui/page-head.tsx';
import { FilteredEmpty, Loaded, withData } from '../ui/states.tsx';
import { ViewsMenu } from '../views/views-menu.tsx';
import { conversationColumns } from './conversation-columns.tsx';
import { ConversationPeek } from './conversation-peek.tsx';
import { ConversationFilters, FILTER_LABELS } from './conversation-filters.tsx';
import { ConversationChart } from './conversation-chart.tsx';
import {
  activeFilters,
  conversationFilters,
  parseConversationsPageSearch,
  parseConversationsSearch,
  withoutFilter,
  type ConversationsSearch,
  searchOfFound,
} from './conversations-search.ts';
import { FirstConversation } from './first-conversation.tsx';

const route = getRouteApi('/p/$projectId/conversations');
/** Time between looks for conversations that have begun: live changes tell of those that have ended. */
const LOOK_MS = 15_000;

/** Screen 4: the list of conversations. */
export function ConversationsPage(): ReactNode {
  const { projectId } = route.useParams();
  // The router also gives parameters that no page knows.
  const { peek: peekId, ...search } = parseConversationsPageSearch(route.useSearch());
  const client = useQueryClient();
  const navigate = useNavigate();
  const onSearch = (next: ConversationsSearch) =>
    void navigate({ to: '/p/$projectId/conversations', params: { projectId }, search: { ...next, peek: peekId } });
  const onPeek = useCallback(
    (peek: string | undefined) => void navigate({ to: '.', search: (before) => ({ ...before, peek }), replace: true }),
    [navigate],
  );
  const name = JSON.stringify(search);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead title="Conversations">
        <ViewsMenu
          list="conversations"
          {...{ projectId, search }}
          onSearch={(next) => onSearch(parseConversationsSearch(next))}
        />
        <CommandButton
          command="list.refresh"
          look="quiet"
          aria-label="Read again"
          onPress={() => void client.resetQueries({ queryKey: conversationsKey(projectId) })}
        >
          <RotateCw aria-hidden className="size-3.5" />
        </CommandButton>
      </PageHead>
      <ConversationFilters {...{ projectId, search, onSearch }} />
      <ConversationChart {...{ projectId, search, onSearch }} />
      <ConversationList key={name} {...{ projectId, search, onSearch, peekId, onPeek }} />
    </div>
  );
}

interface ListProps {
  readonly projectId: string;
  readonly search: ConversationsSearch;
  readonly onSearch: (search: ConversationsSearch) => void;
  /** Conversation beside the list. */
  readonly peekId: string | undefined;
  readonly onPeek: (id: string | undefined) => void;
}

function ConversationList(props: ListProps): ReactNode {
  const { projectId, search } = props;
  const [nowMs] = useState(Date.now);
  const client = useQueryClient();
  const query = { ...conversationFilters(search, nowMs), limit: 50 };
  const list = useInfiniteQuery(conversationListQuery(projectId, query));
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data]);
  const { hasNextPage } = list;
  const onNearEnd = useReadOn(list);
  const first = rows?.[0];
  const newRows = useNewRows({
    key: [...conversationsKey(projectId), 'new', query],
    mark: first?.id,
    knownIds: rows?.map(({ id }) => id) ?? [],
    isEmpty: rows?.length === 0,
    readAtMs: list.dataUpdatedAt,
    look: async (signal) => conversationsAhead(projectId, query, first, signal),
    readAgain: async () =>
      client.fetchInfiniteQuery({ ...conversationListQuery(projectId, query), pages: 1, staleTime: 0 }),
    everyMs: LOOK_MS,
  });
  return (
    <Loaded query={withData(list, rows)} label="Conversations are being read" lines={12}>
      {(conversations) =>
        conversations.length === 0 && !hasNextPage ? (
          <NoConversations {...props} nowMs={nowMs} />
        ) : (
          <ConversationRows {...props} {...{ conversations, nowMs, onNearEnd, newRows }} isMoreComing={hasNextPage} />
        )
      }
    </Loaded>
  );
}

interface RowsProps extends ListProps {
  readonly conversations: readonly Api.ConversationSummary[];
  readonly nowMs: number;
  readonly isMoreComing: boolean;
  readonly onNearEnd: () => void;
  readonly newRows: NewRows | undefined;
}

function ConversationRows(props: RowsProps): ReactNode {
  const { projectId, search, conversations, nowMs, isMoreComing, onNearEnd, newRows, peekId, onPeek } = props;
  const navigate = useNavigate();
  const { data } = useQuery(conversationCountQuery(projectId, conversationFilters(search, nowMs)));
  const ids = conversations.map(({ id }) => id);
  const place = useListPlace(`conversations ${projectId} ${JSON.stringify(search)}`, ids);
  const peek = usePeek({ peekId, state: place.state, setState: place.setState, ids, onPeek });
  useCommands({ 'page.up': peekId === undefined ? undefined : peek.close });
  const isPeeking = peek.shownId !== undefined;
  const { q } = search;
  const columns = useMemo(
    () => conversationColumns(projectId, { isNarrow: isPeeking, find: q }),
    [projectId, isPeeking, q],
  );
  const total = data?.total;
  return (
    <>
      <div className="flex min-h-8 items-center border-y border-line bg-surface px-4 py-0.5 text-xs text-muted">
        <span aria-live="polite" className="tabular-nums">
          {total === undefined ? ' ' : `${countAtLeast(total.count, total.atLeast)} conversations`}
        </span>
        <PeekButton peek={peek} />
      </div>
      <div className="flex min-h-0 flex-1 max-lg:flex-col">
        <Grid
          label="Conversations"
          rows={conversations}
          columns={columns}
          idOf={({ id }) => id}
          state={place.state}
          onState={place.setState}
          total={total?.atLeast === false ? total.count : undefined}
          {...{ isMoreComing, onNearEnd, newRows }}
          initialOffset={place.offset}
          onOffset={place.setOffset}
          onOpen={({ id }) =>
            void navigate({
              to: '/p/$projectId/conversations/$conversationId',
              params: { projectId, conversationId: id },
              search: searchOfFound(search),
            })
          }
        />
        {peek.shownId === undefined ? null : (
          <ConversationPeek
            projectId={projectId}
            conversationId={peek.shownId}
            row={conversations.find(({ id }) => id === peek.shownId)}
            search={searchOfFound(search)}
            onClose={peek.close}
          />
        )}
      </div>
    </>
  );
}

function NoConversations({
  projectId,
  search,
  onSearch,
  nowMs,
}: Pick<ListProps, 'projectId' | 'search' | 'onSearch'> & { readonly nowMs: number }): ReactNode {
  const filters = activeFilters(search);
  const without = useQueries({
    queries: filters.map((name) =>
      conversationCountQuery(projectId, conversationFilters(withoutFilter(search, name), nowMs)),
    ),
  });
  if (filters.length === 0) return <FirstConversation />;
  const totals = filters.map((name, at) => ({ name, found: without[at]?.data?.total }));
  const strictest = totals.reduce((most, each) => ((each.found?.count ?? 0) > (most.found?.count ?? 0) ? each : most));
  const { name, found } = strictest;
  return (
    <FilteredEmpty
      noun="conversations"
      strictest={
        found === undefined || found.count === 0
          ? undefined
          : { label: FILTER_LABELS[name], wouldShow: countAtLeast(found.count, found.atLeast) }
      }
      onClear={() => onSearch(withoutFilter(search, name))}
      onClearAll={() => onSearch({})}
    />
  );
}
