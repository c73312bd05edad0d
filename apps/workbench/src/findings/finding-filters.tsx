import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { findingCountQuery } from '../api/queries.ts';
import { useNames } from '../api/use-names.ts';
import { count, sentence } from '../text/format.ts';
import { FacetMenu, type FacetValue } from '../ui/facet-menu.tsx';
import { ChoiceMenu } from '../ui/menu.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { cx } from '../ui/cx.ts';
import {
  facetCounts,
  FINDING_FACETS,
  FINDING_ORDERS,
  FINDING_VIEWS,
  parseFindingsSearch,
  valuesOf,
  viewCounts,
  withoutFilter,
  withValue,
  type FindingFacet,
  type FindingOrder,
  type FindingsSearch,
  type FindingView,
} from './findings-search.ts';

interface FiltersProps {
  readonly projectId: string;
  readonly search: FindingsSearch;
  readonly onSearch: (search: FindingsSearch) => void;
}

const VIEW_LABELS: Readonly<Record<FindingView, string>> = {
  review: 'To review',
  confirmed: 'Confirmed',
  verifying: 'Awaiting verification',
  regressed: 'Regressed',
  snoozed: 'Snoozed',
  dismissed: 'Dismissed',
  all: 'All',
};

/** Tabs of the list, with their counts. */
export function FindingTabs({ projectId, search, onSearch }: FiltersProps): ReactNode {
  const awake = useQuery(findingCountQuery(projectId, { by: 'reviewStatus', snoozed: false }));
  const all = useQuery(findingCountQuery(projectId, { by: 'reviewStatus,resolutionStatus,snoozed' }));
  const counts = viewCounts(awake.data, all.data);
  const { view: chosen = 'review' } = search;
  return (
    <nav aria-label="Views" className="flex gap-4 overflow-x-auto border-b border-line px-4">
      {FINDING_VIEWS.map((view) => (
        <button
          key={view}
          type="button"
          aria-current={view === chosen ? 'page' : undefined}
          className={cx(
            '-mb-px flex h-9 items-center gap-1.5 border-b-2 text-sm whitespace-nowrap -outline-offset-2',
            view === chosen ? 'border-accent font-medium' : 'border-transparent text-muted hover:text-ink',
          )}
          onClick={() => onSearch({ ...search, view })}
        >
          {VIEW_LABELS[view]}
          <span className="text-xs text-muted tabular-nums">
            {counts[view] === undefined ? '' : count(counts[view])}
          </span>
        </button>
      ))}
    </nav>
  );
}

export const FACET_TITLES: Readonly<Record<FindingFacet | 'q' | 'conversationId', string>> = {
  severity: 'Severity',
  categoryKey: 'Category',
  ruleId: 'Rule',
  agent: 'Agent',
  assignee: 'Assignee',
  workItem: 'Work item',
  q: 'the words',
  conversationId: 'the conversation',
};

const ORDER_LABELS: Readonly<Record<FindingOrder, string>> = {
  lastDetectedAt: 'Last seen',
  diagnosticScore: 'Score',
  occurrenceCount: 'Most conversations',
  firstDetectedAt: 'Newest',
};

const WORK_ITEM_LABELS: Readonly<Record<string, string>> = { none: 'None', active: 'Active', done: 'Done' };

/** Filters and order of the list. */
export function FindingFilters({ projectId, search, onSearch }: FiltersProps): ReactNode {
  const values = useFacetValues(projectId, search);
  const { sort = 'lastDetectedAt' } = search;
  return (
    <div className="flex flex-wrap items-center gap-1.5 px-4 py-2">
      <SearchBox
        label="Filter by title"
        value={search.q ?? ''}
        onChange={(q) => onSearch(parseFindingsSearch({ ...search, q }))}
      />
      {FINDING_FACETS.map((facet) => (
        <FacetMenu
          key={facet}
          title={FACET_TITLES[facet]}
          values={values(facet)}
          chosen={valuesOf(search, facet)}
          onChoose={(value) => onSearch(withValue(search, facet, value))}
          onClear={() => onSearch(withoutFilter(search, facet))}
        />
      ))}
      <ChoiceMenu
        className="ml-auto"
        look="quiet"
        ariaLabel={`Order: ${ORDER_LABELS[sort]}`}
        label={`Order: ${ORDER_LABELS[sort]}`}
        sections={[
          {
            choices: FINDING_ORDERS.map((order) => ({
              id: order,
              label: ORDER_LABELS[order],
              text: ORDER_LABELS[order],
              isChosen: order === sort,
            })),
          },
        ]}
        onChoose={(order) => onSearch(parseFindingsSearch({ ...search, sort: order }))}
      />
    </div>
  );
}

function useFacetValues(projectId: string, search: FindingsSearch): (facet: FindingFacet) => FacetValue[] {
  const groups = facetCounts(search);
  const results = useQueries({ queries: groups.map(({ query }) => findingCountQuery(projectId, query)) });
  const nameOf = useNames(projectId);
  const labelOf = (facet: FindingFacet, value: string) => {
    if (facet === 'assignee') return value === 'none' ? 'Nobody' : nameOf(value);
    if (facet === 'workItem') return WORK_ITEM_LABELS[value] ?? value;
    return facet === 'severity' || facet === 'categoryKey' ? sentence(value) : value;
  };
  return (facet) => {
    const at = groups.findIndex(({ facets }) => facets.includes(facet));
    const counted = results[at]?.data?.counts[facet] ?? [];
    return counted.map(({ value, count: many }) => {
      const name = value ?? 'none';
      return { value: name, label: labelOf(facet, name), count: many };
    });
  };
}
