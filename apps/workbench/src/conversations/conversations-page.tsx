import { useInfiniteQuery, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { conversationCountQuery, conversationListQuery, conversationsKey } from '../api/queries.ts';
import { countAtLeast } from '../text/format.ts';
import { CommandButton } from '../ui/button.tsx';
import { Grid } from '../ui/grid.tsx';
import { useListPlace } from '../ui/list-place.ts';
import { PageHead } from '../ui/page-head.tsx';
import { FilteredEmpty, Loaded } from '../ui/states.tsx';
import { conversationColumns } from './conversation-columns.tsx';
import { ConversationFilters, FILTER_LABELS } from './conversation-filters.tsx';
import { ConversationChart } from './conversation-chart.tsx';
import {
  activeFilters,
  conversationFilters,
  parseConversationsSearch,
  withoutFilter,
  type ConversationsSearch,
} from './conversations-search.ts';
import { FirstConversation } from './first-conversation.tsx';

const route = getRouteApi('/p/$projectId/conversations');

/** Screen 4: the list of conversations. */
export function ConversationsPage(): ReactNode {
  const { projectId } = route.useParams();
  // The router also gives parameters that no page knows.
  const search = parseConversationsSearch(route.useSearch());
  const client = useQueryClient();
  const navigate = useNavigate();
  const onSearch = (next: ConversationsSearch) =>
    void navigate({ to: '/p/$projectId/conversations', params: { projectId }, search: next });
  const name = JSON.stringify(search);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead title="Conversations">
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
      <ConversationList key={name} {...{ projectId, search, onSearch }} />
    </div>
  );
}

interface ListProps {
  readonly projectId: string;
  readonly search: ConversationsSearch;
  readonly onSearch: (search: ConversationsSearch) => void;
}

function ConversationList(props: ListProps): ReactNode {
  const { projectId, search } = props;
  const [nowMs] = useState(Date.now);
  const filters = conversationFilters(search, nowMs);
  const list = useInfiniteQuery(conversationListQuery(projectId, { ...filters, limit: 100 }));
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <Loaded query={{ ...list, data: rows }} label="Conversations are being read" lines={12}>
      {(conversations) =>
        conversations.length === 0 && !hasNextPage ? (
          <NoConversations {...props} nowMs={nowMs} />
        ) : (
          <ConversationRows {...props} {...{ conversations, nowMs, onNearEnd }} isMoreComing={hasNextPage} />
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
}

function ConversationRows(props: RowsProps): ReactNode {
  const { projectId, search, conversations, nowMs, isMoreComing, onNearEnd } = props;
  const navigate = useNavigate();
  const { data } = useQuery(conversationCountQuery(projectId, conversationFilters(search, nowMs)));
  const place = useListPlace(
    `conversations ${projectId} ${JSON.stringify(search)}`,
    conversations.map(({ id }) => id),
  );
  const columns = useMemo(() => conversationColumns(projectId), [projectId]);
  const total = data?.total;
  return (
    <>
      <p aria-live="polite" className="border-y border-line bg-surface px-4 py-1.5 text-xs text-muted tabular-nums">
        {total === undefined ? ' ' : `${countAtLeast(total.count, total.atLeast)} conversations`}
      </p>
      <Grid
        label="Conversations"
        rows={conversations}
        columns={columns}
        idOf={({ id }) => id}
        state={place.state}
        onState={place.setState}
        total={total?.atLeast === false ? total.count : undefined}
        isMoreComing={isMoreComing}
        onNearEnd={onNearEnd}
        initialOffset={place.offset}
        onOffset={place.setOffset}
        onOpen={({ id }) =>
          void navigate({
            to: '/p/$projectId/conversations/$conversationId',
            params: { projectId, conversationId: id },
          })
        }
      />
    </>
  );
}

function NoConversations({ projectId, search, onSearch, nowMs }: ListProps & { readonly nowMs: number }): ReactNode {
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
