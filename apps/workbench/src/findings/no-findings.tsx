import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { findingCountQuery } from '../api/queries.ts';
import { countAtLeast } from '../text/format.ts';
import { Button } from '../ui/button.tsx';
import { FilteredEmpty, FirstUse } from '../ui/states.tsx';
import { FACET_TITLES } from './finding-filters.tsx';
import {
  activeFilters,
  findingFilters,
  withoutFilter,
  withoutFilters,
  type FindingsSearch,
} from './findings-search.ts';

interface NoFindingsProps {
  readonly projectId: string;
  readonly search: FindingsSearch;
  readonly onSearch: (search: FindingsSearch) => void;
}

/** Place of a list without Findings: the filter that excludes most, or what will be here. */
export function NoFindings({ projectId, search, onSearch }: NoFindingsProps): ReactNode {
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

function NothingInView({ search, onSearch }: Pick<NoFindingsProps, 'search' | 'onSearch'>): ReactNode {
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
