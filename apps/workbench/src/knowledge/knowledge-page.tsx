import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { useReadOn } from '../ui/use-read-on.ts';
import { HEAD_ROWS, headAhead } from '../api/new-rows.ts';
import { useNewRows } from '../ui/use-new-rows.ts';
import { clew } from '../api/client.ts';
import { buttonClass, CommandButton } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { FilteredEmpty, FirstUse, Loaded, withData } from '../ui/states.tsx';
import { FILTER_LABELS, ItemFilters } from './item-filters.tsx';
import {
  activeFilters,
  itemFilters,
  itemListOf,
  parseKnowledgeSearch,
  withFacet,
  withoutFilter,
  type KnowledgeSearch,
} from './knowledge-search.ts';
import { KnowledgeTabs } from './knowledge-tabs.tsx';
import { itemCountQuery, itemListQuery, itemTotalQuery, knowledgeKey } from './queries.ts';
import { ReviewQueue } from './review-queue.tsx';

const route = getRouteApi('/p/$projectId/knowledge');

/** Screen 7: what was learned, to be reviewed by keyboard. */
export function KnowledgePage(): ReactNode {
  const { projectId } = route.useParams();
  // The router also gives parameters that no page knows.
  const search = parseKnowledgeSearch(route.useSearch());
  const navigate = useNavigate();
  const client = useQueryClient();
  const onSearch = (next: KnowledgeSearch) =>
    void navigate({ to: '/p/$projectId/knowledge', params: { projectId }, search: next });
  const { item: _item, ...list } = search;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead title="Knowledge">
        <CommandButton
          command="list.refresh"
          look="quiet"
          aria-label="Read again"
          onPress={() => void client.resetQueries({ queryKey: knowledgeKey(projectId) })}
        >
          <RotateCw aria-hidden className="size-3.5" />
        </CommandButton>
      </PageHead>
      <KnowledgeTabs projectId={projectId} />
      <ItemFilters {...{ projectId, search, onSearch }} />
      <ReviewList key={JSON.stringify(list)} {...{ projectId, search, onSearch }} />
    </div>
  );
}

interface ListProps {
  readonly projectId: string;
  readonly search: KnowledgeSearch;
  readonly onSearch: (search: KnowledgeSearch) => void;
}

function ReviewList(props: ListProps): ReactNode {
  const { projectId, search } = props;
  const client = useQueryClient();
  const list = useInfiniteQuery(itemListQuery(projectId, itemListOf(search)));
  const total = useQuery(itemTotalQuery(projectId, itemFilters(search))).data;
  const items = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data]);
  const { hasNextPage } = list;
  const onNearEnd = useReadOn(list);
  const newRows = useNewRows({
    key: [...knowledgeKey(projectId), 'new', itemFilters(search)],
    mark: items?.[0]?.id,
    knownIds: items?.map(({ id }) => id) ?? [],
    isEmpty: items?.length === 0,
    readAtMs: list.dataUpdatedAt,
    look: async (signal) => {
      const query = { ...itemFilters(search), limit: HEAD_ROWS, project: projectId, signal };
      const { data } = await clew.knowledge.items.list(query);
      return headAhead(data.map(({ id }) => id));
    },
    readAgain: async () => {
      await client.fetchInfiniteQuery({
        ...itemListQuery(projectId, itemListOf(search)),
        pages: 1,
        staleTime: 0,
      });
      await client.invalidateQueries(itemTotalQuery(projectId, itemFilters(search)));
    },
  });
  return (
    <Loaded query={withData(list, items)} label="Knowledge is being read" lines={12}>
      {(read) =>
        read.length === 0 && !hasNextPage && search.item === undefined ? (
          <NothingHere {...props} />
        ) : (
          <ReviewQueue
            {...{ projectId, search, onNearEnd, newRows }}
            items={read}
            readAtMs={list.dataUpdatedAt}
            total={total?.count}
            isTotalAtLeast={total?.atLeast ?? false}
            isMoreComing={hasNextPage}
          />
        )
      }
    </Loaded>
  );
}

function NothingHere({ projectId, search, onSearch }: ListProps): ReactNode {
  const filters = activeFilters(search);
  const all = useQuery(itemCountQuery(projectId, { by: 'reviewed' })).data?.total.count;
  const queue = useQuery(itemCountQuery(projectId, { status: 'active', reviewed: false, by: 'kind' })).data?.total
    .count;
  if (all === undefined) return null;
  if (all === 0) return <FirstKnowledge projectId={projectId} />;
  const [name] = filters;
  if (name === undefined) {
    return (
      <FirstUse
        title="Nothing is left to review"
        action={
          <button
            type="button"
            className={buttonClass('main')}
            onClick={() => onSearch(withFacet({}, 'reviewed', undefined))}
          >
            Show what was reviewed
          </button>
        }
      >
        All that was learned has been looked at. New items come here by themselves.
      </FirstUse>
    );
  }
  return (
    <FilteredEmpty
      noun="items"
      strictest={
        filters.length === 1 && queue !== undefined && !['status', 'reviewed'].includes(name)
          ? { label: FILTER_LABELS[name], wouldShow: String(queue) }
          : undefined
      }
      onClear={() => onSearch(withoutFilter(search, name))}
      onClearAll={() => onSearch({})}
    />
  );
}

function FirstKnowledge({ projectId }: { readonly projectId: string }): ReactNode {
  return (
    <FirstUse
      title="Nothing has been learned yet"
      action={
        <Link to="/p/$projectId/knowledge/goals" params={{ projectId }} className={buttonClass('main')}>
          To the Learning Goals
        </Link>
      }
    >
      A Learning Goal says in plain words what is to be learned from conversations. What is learned comes here, each
      item with the words that say so, and waits for somebody who accepts, edits or archives it.
    </FirstUse>
  );
}
