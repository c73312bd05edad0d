import { useQueries, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { sentence } from '../text/format.ts';
import { visibleText } from '../text/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { FacetMenu } from '../ui/facet-menu.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import {
  chosenOf,
  countFilters,
  ITEM_FACETS,
  parseKnowledgeSearch,
  withFacet,
  type ItemFacet,
  type KnowledgeFilter,
  type KnowledgeSearch,
} from './knowledge-search.ts';
import { goalsQuery, itemCountQuery } from './queries.ts';

interface FiltersProps {
  readonly projectId: string;
  readonly search: KnowledgeSearch;
  readonly onSearch: (search: KnowledgeSearch) => void;
}

const TITLES: Readonly<Record<ItemFacet, string>> = { kind: 'Kind', status: 'Status', reviewed: 'Reviewed' };
const REVIEWED: Readonly<Record<string, string>> = { true: 'Yes', false: 'Not yet' };

export const FILTER_LABELS: Readonly<Record<KnowledgeFilter, string>> = {
  goal: 'the Learning Goal',
  status: 'the status',
  reviewed: 'the review',
  kind: 'the kind',
  q: 'the words',
  conversation: 'the conversation',
};

/** Filters of the review. */
export function ItemFilters({ projectId, search, onSearch }: FiltersProps): ReactNode {
  const { data: goals = [] } = useQuery(goalsQuery(projectId));
  const counts = useQueries({
    queries: ITEM_FACETS.map((facet) => itemCountQuery(projectId, { ...countFilters(search, facet), by: facet })),
  });
  const set = (change: Partial<KnowledgeSearch>) =>
    onSearch(parseKnowledgeSearch({ ...search, item: undefined, ...change }));
  return (
    <div className="flex flex-wrap items-center gap-1.5 border-b border-line px-4 py-2">
      <SearchBox label="Filter by words" value={search.q ?? ''} onChange={(q) => set({ q })} />
      <FacetMenu
        title="Learning Goal"
        values={goals.map(({ id, name, counts: { activeItems, archivedItems } }) => ({
          value: id,
          label: name,
          count: activeItems + archivedItems,
        }))}
        chosen={search.goal === undefined ? [] : [search.goal]}
        onChoose={(goal) => set({ goal: goal === search.goal ? undefined : goal })}
        onClear={() => set({ goal: undefined })}
      />
      {ITEM_FACETS.map((facet, at) => {
        const chosen = chosenOf(search, facet);
        const values = counts[at]?.data?.counts[facet] ?? [];
        return (
          <FacetMenu
            key={facet}
            title={TITLES[facet]}
            values={values.map(({ value, count }) => ({ value, label: labelOf(facet, value), count }))}
            chosen={chosen === undefined ? [] : [chosen]}
            onChoose={(value) => onSearch(withFacet(search, facet, value))}
            onClear={() => onSearch(withFacet(search, facet, undefined))}
          />
        );
      })}
      {search.conversation === undefined ? null : (
        <Button className="border-accent text-accent" onPress={() => set({ conversation: undefined })}>
          <span className="max-w-48 truncate">Conversation: {visibleText(search.conversation)}</span>
          <X aria-hidden className="size-3.5" />
          <span className="sr-only">Clear</span>
        </Button>
      )}
    </div>
  );
}

function labelOf(facet: ItemFacet, value: string): string {
  return facet === 'reviewed' ? (REVIEWED[value] ?? value) : sentence(value);
}
